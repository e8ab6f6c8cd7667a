"""Segmentation: which neighbouring atomic blocks belong together. A file holds a published method."""
