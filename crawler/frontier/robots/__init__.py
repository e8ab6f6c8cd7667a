"""robots.txt: asked for, read, kept and obeyed (RFC 9309)."""
