"""What is in a corpus folder, as one page: ``scrapy report``."""
