"""The command, from its arguments to what it prints, writes and returns."""
