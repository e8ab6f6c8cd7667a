"""Fingerprints of texts, and the table that finds their numbers."""
