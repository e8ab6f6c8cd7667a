"""The released boilerpipe: its blocks, filters and extractors."""
