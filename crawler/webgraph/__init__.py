"""The link graph of the crawl: pages as (HostID, LocalID) tuples, and the arcs between them."""
