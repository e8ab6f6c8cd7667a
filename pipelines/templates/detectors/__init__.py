"""Template detectors: published methods that find, from pages of a site, what all of them have in common."""
