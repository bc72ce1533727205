"""Reads Iceberg tables with Polars: read_polars.py READER METADATA_JSON OUTPUT [...].

READER: native, pyiceberg, or auto, which leaves the choice to Polars as its users do.
"""

import sys

import polars

from answers import answer

reader = None if sys.argv[1] == "auto" else sys.argv[1]
answer(
    polars.__version__,
    lambda metadata: polars.scan_iceberg(metadata, reader_override=reader).collect().to_arrow(),
    sys.argv[2:],
)
