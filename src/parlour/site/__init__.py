"""The table without a server: in a browser, from files that any web server can serve, or from a single one."""
