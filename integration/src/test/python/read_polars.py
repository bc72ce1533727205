"""Reads Iceberg tables with Polars: read_polars.py native|pyiceberg METADATA_JSON OUTPUT [...]."""

import sys

import polars

from answers import answer

answer(
    polars.__version__,
    lambda metadata: polars.scan_iceberg(metadata, reader_override=sys.argv[1]).collect().to_arrow(),
    sys.argv[2:],
)
