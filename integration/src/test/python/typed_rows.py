"""Prints an Arrow table so that no type and no digit is lost.

First line: {"version": of the engine, "types": {column: Arrow type}}. Then one JSON object a row:
whole numbers as numbers, floating-point numbers as their bits in hex, decimals as text, dates as
days and timestamps as microseconds since 1970, binary as hex.
"""

import json
import struct

import pyarrow as pa
import pyarrow.compute as pc


def print_table(table, out, version):
    names = table.schema.names
    types = {f.name: type_name(f.type) for f in table.schema}
    print(json.dumps({"version": version, "types": types}), file=out)
    columns = [values(table.column(i).combine_chunks()) for i in range(len(names))]
    for row in zip(*columns):
        print(json.dumps(dict(zip(names, row))), file=out)


def type_name(kind):
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return f"list<{type_name(kind.value_type)}>"
    if pa.types.is_large_string(kind):
        return "string"
    if pa.types.is_large_binary(kind):
        return "binary"
    if pa.types.is_timestamp(kind) and kind.tz is not None:
        return f"timestamptz[{kind.unit}]"
    return str(kind)


def values(array):
    kind = array.type
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return [None if item is None else item for item in array.to_pylist()]
    if pa.types.is_timestamp(kind):
        return pc.cast(array, pa.timestamp("us", kind.tz)).view(pa.int64()).to_pylist()
    if pa.types.is_date32(kind):
        return array.view(pa.int32()).to_pylist()
    plain = array.to_pylist()
    if pa.types.is_float32(kind):
        return [None if v is None else struct.pack(">f", v).hex() for v in plain]
    if pa.types.is_float64(kind):
        return [None if v is None else struct.pack(">d", v).hex() for v in plain]
    if pa.types.is_decimal(kind):
        return [None if v is None else format(v, "f") for v in plain]
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return [None if v is None else v.hex() for v in plain]
    return plain
