"""What reports for people share: tables, plots, and a page of both."""
