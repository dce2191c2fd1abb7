"""A store that several processes share: a DuckLake with what is only ever added, and PostgreSQL with what has keys.

The lake's tables are Parquet files in a folder or an object store, its catalogue lies in PostgreSQL. It knows no keys, so everything that
needs one (which records there are, accounts, jobs, what was said and ruled, the log) is a PostgreSQL table. Needs the extra ``[lake]``.
"""
