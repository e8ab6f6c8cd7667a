"""Search over blocks by density and words, and the measures of retrieval."""
