"""What the scripts that read tables have in common: METADATA_JSON OUTPUT [...] in one process."""

import json
import sys

from typed_rows import print_table


def answer(version, read, arguments=None):
    """Writes rows, or in their place why the engine gave none, for each table.

    read: from a metadata file's path to an Arrow table.
    """
    arguments = iter(sys.argv[1:] if arguments is None else arguments)
    for metadata, output in zip(arguments, arguments):
        with open(output, "w", encoding="utf-8") as out:
            try:
                table = read(metadata)
            # Some engines raise what is no Exception, such as Rust's panics.
            except BaseException as failure:
                message = f"{type(failure).__name__}: {failure}"
                print(json.dumps({"version": version, "error": message}), file=out)
            else:
                print_table(table, out, version)
