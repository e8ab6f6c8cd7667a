"""What language a text is in, and whether it is good enough to keep."""
