"""Reads Iceberg tables with DuckDB: read_duckdb.py METADATA_JSON OUTPUT [...].

The extensions come from Python packages, so nothing is downloaded at run time.
"""

import importlib
import pathlib
import sys

import duckdb

from typed_rows import print_table

connection = duckdb.connect()
for name in ("avro", "iceberg"):
    package = pathlib.Path(importlib.import_module(f"duckdb_extension_{name}").__file__).parent
    connection.load_extension(str(next(package.rglob(f"v{duckdb.__version__}/*.duckdb_extension"))))
connection.execute("SET TimeZone = 'UTC'")
arguments = iter(sys.argv[1:])
for metadata, output in zip(arguments, arguments):
    rows = connection.execute("SELECT * FROM iceberg_scan(?)", [metadata])
    with open(output, "w", encoding="utf-8") as out:
        print_table(rows.to_arrow_table(), out)
