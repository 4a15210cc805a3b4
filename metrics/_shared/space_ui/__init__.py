"""The page of a Space: a metric as a form, an API endpoint and an MCP tool."""
