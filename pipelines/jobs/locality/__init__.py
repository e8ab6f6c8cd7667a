"""How links stay on their host: shares, dot-plots, degrees (Kohlschütter 2011, section 3.2.1)."""
