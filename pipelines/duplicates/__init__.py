"""Exact duplicates by digest, near-duplicates by simhash."""
