"""What does it mean? Audit, explanations, ledger, tables, statistics, figures.

May import: `records`, numpy, plotly, and duckdb for the type of the connections it is handed. No Flask, no HTML.
"""
