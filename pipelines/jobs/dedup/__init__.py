"""``scrapy dedup``: duplicates of a whole corpus, found and removed."""
