"""Winnow's reasons in words: what was decided of a page, and what pushed each block."""
