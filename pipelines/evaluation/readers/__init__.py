"""Gold standards as they are distributed, one layout a file."""
