"""The features of the blocks of a page, as one matrix."""
