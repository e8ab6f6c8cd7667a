"""``scrapy facets``: search by text score times rank, and the facets of what was found."""
