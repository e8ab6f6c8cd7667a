"""Compiled kernels that several packages share, and the one decorator that compiles them."""
