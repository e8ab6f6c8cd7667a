"""Segmentation: which neighbouring atomic blocks belong together.

A file holds a published method; `registry` finds it by its published name. `accuracy` compares two
segmentations, `studies` varies the parameters, `gold` reads pages that were segmented by hand.
"""
