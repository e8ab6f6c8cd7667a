"""The store of a crawl: what it knows of pages and hosts, committed to the journal."""
