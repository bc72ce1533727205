"""Writes orders with PyIceberg into a REST catalog: write_pyiceberg.py URI NAMESPACE TABLE.

Appends the orders 0 to 99, then deletes every seventh.
"""

import datetime
import decimal
import sys

import pyarrow as pa
from pyiceberg.catalog import load_catalog

uri, namespace, name = sys.argv[1:]
catalog = load_catalog("rest", type="rest", uri=uri)
catalog.create_namespace_if_not_exists(namespace)
start = datetime.datetime(2026, 3, 1)
orders = pa.Table.from_pylist(
    [
        {
            "id": key,
            "note": None if key % 10 == 3 else f"row {key}",
            "amount": decimal.Decimal(key).scaleb(-2),
            "updated_at": start + datetime.timedelta(minutes=key),
        }
        for key in range(100)
    ],
    schema=pa.schema(
        [
            pa.field("id", pa.int32()),
            pa.field("note", pa.string()),
            pa.field("amount", pa.decimal128(12, 2)),
            pa.field("updated_at", pa.timestamp("us")),
        ]
    ),
)
table = catalog.create_table(f"{namespace}.{name}", orders.schema)
table.append(orders)
table.delete(f"id in ({', '.join(str(key) for key in range(0, 100, 7))})")
