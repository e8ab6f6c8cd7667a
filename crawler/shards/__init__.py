"""A crawling process as one shard of several: of a fleet, or of a crawl on several machines."""
