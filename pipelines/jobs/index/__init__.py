"""``scrapy index``: the search index of a corpus folder, and the rank vectors beside it."""
