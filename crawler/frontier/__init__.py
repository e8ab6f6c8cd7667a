"""The frontier: which page is fetched next, and when its host may be asked again."""
