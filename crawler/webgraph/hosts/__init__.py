"""Hosts: their HostIDs, their keys, and the numbers of their pages."""
