"""Hosts: which of them have pages to fetch, when each may be asked, and what they have in common."""
