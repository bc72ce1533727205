"""Reads Iceberg tables with ClickHouse as chdb: read_clickhouse.py METADATA_JSON OUTPUT [...]."""

import pathlib

import chdb.session

from answers import answer

session = chdb.session.Session()
version = session.query("SELECT version()", "TabSeparated").bytes().decode().strip()


def read(metadata):
    file = pathlib.Path(metadata)
    return chdb.to_arrowTable(
        session.query(
            f"SELECT * FROM icebergLocal('{file.parent.parent}')"
            f" SETTINGS iceberg_metadata_file_path = 'metadata/{file.name}',"
            " output_format_arrow_string_as_string = 1",
            "Arrow",
        )
    )


answer(version, read)
