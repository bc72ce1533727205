"""Reads Iceberg tables with PyIceberg: read_pyiceberg.py METADATA_JSON OUTPUT [...]."""

import sys

from pyiceberg.table import StaticTable

from typed_rows import print_table

arguments = iter(sys.argv[1:])
for metadata, output in zip(arguments, arguments):
    with open(output, "w", encoding="utf-8") as out:
        print_table(StaticTable.from_metadata(metadata).scan().to_arrow(), out)
