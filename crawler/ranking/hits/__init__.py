"""HITS, on pages and on pagelets, and pages related by co-citation."""
