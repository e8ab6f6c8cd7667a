"""Crawling in several processes: who owns a host, and how links get to its owner."""
