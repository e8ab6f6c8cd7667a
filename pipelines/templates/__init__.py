"""Templates of pages: what their structure has in common, and groups of pages made from one template."""
