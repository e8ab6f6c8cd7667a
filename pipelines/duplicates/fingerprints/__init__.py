"""Published fingerprints of texts, one method a file."""
