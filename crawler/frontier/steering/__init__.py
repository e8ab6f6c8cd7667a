"""Steering: what a crawl does not fetch, as its user says or by what it learned."""
