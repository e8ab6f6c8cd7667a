"""The text formats of ``scrapy export``: the documents of a corpus for other programs."""
