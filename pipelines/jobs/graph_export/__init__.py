"""Hands the link graph to other programs."""
