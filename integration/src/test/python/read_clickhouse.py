"""Reads Iceberg tables with ClickHouse as chdb: read_clickhouse.py METADATA_JSON OUTPUT [...]."""

import os
import pathlib

import chdb.session
import pyarrow as pa
import pyarrow.parquet as pq

from answers import answer

# Local files can be read only below the folder in which it starts.
os.chdir("/")


session = chdb.session.Session()


def query(text, form):
    return session.query(f"{text} SETTINGS session_timezone = 'UTC'", form).bytes()


def read(metadata):
    global session
    # A new one: after a query that failed, the next one's answer begins with what was left of it.
    session.close()
    session = chdb.session.Session()
    file = pathlib.Path(metadata)
    source = (
        f"icebergLocal('{file.parent.parent}',"
        f" SETTINGS iceberg_metadata_file_path = 'metadata/{file.name}')"
    )
    described = query(f"DESCRIBE TABLE {source}", "TabSeparated").decode().splitlines()
    table = pq.read_table(pa.BufferReader(query(f"SELECT * FROM {source}", "Parquet")))
    # Its timestamps without a zone are points in time of the session's zone.
    local = {line.split("\t")[0] for line in described if "DateTime64(6)" in line.split("\t")[1]}
    return table.cast(
        pa.schema(
            [
                pa.field(field.name, pa.timestamp("us") if field.name in local else field.type)
                for field in table.schema
            ]
        )
    )


answer(query("SELECT version()", "TabSeparated").decode().strip(), read)
