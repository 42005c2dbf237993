# SPDX-FileCopyrightText: The Baton authors
# SPDX-License-Identifier: Apache-2.0
"""Validates a file with a JSON schema: validate.py SCHEMA FILE. FILE is JSON, or has lines `key=value`. Other schemas are read from
the folder of the schema. Called by packaging/test.sh."""
import json
import os
import sys

import jsonschema
import referencing


def read(name):
    with open(name) as file:
        if name.endswith(".json"):
            return json.load(file)
        return dict(line.rstrip("\n").split("=", 1) for line in file if "=" in line and not line.startswith("#"))


def resolve(uri):
    name = os.path.join(os.path.dirname(os.path.abspath(sys.argv[1])), os.path.basename(uri))
    return referencing.Resource.from_contents(read(name), default_specification=referencing.jsonschema.DRAFT7)


schema = read(sys.argv[1])
errors = list(jsonschema.Draft7Validator(schema, registry=referencing.Registry(retrieve=resolve)).iter_errors(read(sys.argv[2])))
for error in errors:
    print(f"{sys.argv[2]}: {'/'.join(map(str, error.path))}: {error.message}", file=sys.stderr)
sys.exit(1 if errors else 0)
