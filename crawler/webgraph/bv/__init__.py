"""The BV format of the WebGraph framework."""
