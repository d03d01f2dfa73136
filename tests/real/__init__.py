"""The jobs of README and of the tutorials on real data, large tables, files and processes."""
