"""What Winnow does with a page's text: segmentation, cleaning, language, quality, duplicates, storage."""
