"""Leases: pages that are out to be fetched, taken and ended many at once."""
