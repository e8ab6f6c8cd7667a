"""Arcs, encoded in about a byte each, in the journal and in files."""
