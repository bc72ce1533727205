"""Counts the rows in Parquet files, whatever Iceberg's delete files say: count_parquet.py FILE [...]."""

import sys

import pyarrow.parquet as pq

print(sum(pq.read_metadata(path).num_rows for path in sys.argv[1:]))
