"""Measures of an extracted text against the gold text, a published one a file."""
