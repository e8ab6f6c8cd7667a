"""Boilerplate removal: which blocks are main content. A file holds a published method.

:mod:`pipelines.boilerplate.registry` knows them by name.
"""
