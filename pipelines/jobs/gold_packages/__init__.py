"""Evaluation packages of one's own: made of saved pages and stored answers, and changed (Gottron 2008, section
5.3.2).
"""
