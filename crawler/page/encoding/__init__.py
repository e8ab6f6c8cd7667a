"""From the bytes of a page to its text: which encoding, and where that was said."""
