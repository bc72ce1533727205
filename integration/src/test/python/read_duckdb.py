"""Reads Iceberg tables with DuckDB: read_duckdb.py METADATA_JSON OUTPUT [...].

The extensions come from Python packages, so nothing is downloaded at run time.
"""

import importlib
import pathlib

import duckdb

from answers import answer

connection = duckdb.connect()
for name in ("avro", "iceberg"):
    package = pathlib.Path(importlib.import_module(f"duckdb_extension_{name}").__file__).parent
    connection.load_extension(str(next(package.rglob(f"v{duckdb.__version__}/*.duckdb_extension"))))
connection.execute("SET TimeZone = 'UTC'")
answer(
    duckdb.__version__,
    lambda metadata: connection.execute("SELECT * FROM iceberg_scan(?)", [metadata]).to_arrow_table(),
)
