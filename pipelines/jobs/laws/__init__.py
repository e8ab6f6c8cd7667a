"""``scrapy laws``: the quantitative laws of a corpus, gathered, fitted, reported and drawn."""
