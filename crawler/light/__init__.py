"""Scrapy's own parts, without what they do besides for each request."""
