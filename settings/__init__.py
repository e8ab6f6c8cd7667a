"""Settings of Winnow: ``project`` (ours), ``base`` (Scrapy's), and one module a profile."""
