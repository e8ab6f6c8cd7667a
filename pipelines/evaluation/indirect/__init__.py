"""Indirect evaluation of cleaning: how well the texts that it leaves can be classified and clustered (Gottron 2008,
section 3.4.3).
"""
