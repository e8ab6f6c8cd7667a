"""Ordinary references and their keys, read by a kernel."""
