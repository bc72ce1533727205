"""Reads Iceberg tables with PyIceberg: read_pyiceberg.py METADATA_JSON OUTPUT [...]."""

import pyiceberg
from pyiceberg.table import StaticTable

from answers import answer

answer(pyiceberg.__version__, lambda metadata: StaticTable.from_metadata(metadata).scan().to_arrow())
