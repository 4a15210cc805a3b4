"""The page of a Space: a metric as a form, as an endpoint for programs, and as an MCP tool."""
