"""The documents that a crawl keeps, found by keys of their texts."""
