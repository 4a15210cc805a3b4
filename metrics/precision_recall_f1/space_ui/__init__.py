# Vendored: edit metrics/_shared/space_ui/__init__.py and run `make vendor`.
"""The page of a Space: a metric as a form, an API endpoint and an MCP tool."""
