#!/usr/bin/env python3
"""Holds documents against a JSON Schema, and the schema against faults in the documents.

    schemas.py SCHEMA DOCUMENTS OPTIONAL FREE

SCHEMA: a JSON Schema of draft 2020-12. DOCUMENTS: a file of JSON documents that follow one another. OPTIONAL: members
that a document may lack. FREE: lists of numbers of any length. Both are ends of paths like clips[].channels[].t, with
commas between. Three things are asked: every document keeps to the schema; it has no member that the schema does not
name; and a value of another type, a member missing that is not OPTIONAL, and a number too few in a list that is not
FREE are refused, wherever they are.
"""
import copy
import json
import sys

import jsonschema

WRONG = {str: 7, int: "7", float: "7", bool: "true", list: {}, dict: [], type(None): 7}


def no_constant(name):
    raise ValueError(f"{name} is no JSON")


def read_stream(path):
    decoder = json.JSONDecoder(parse_constant=no_constant)
    with open(path, encoding="utf-8") as file:
        text = file.read().lstrip()
    while text:
        document, end = decoder.raw_decode(text)
        yield document
        text = text[end:].lstrip()


def closed(schema):
    """The schema with keys forbidden that it does not name."""
    schema = copy.deepcopy(schema)
    todo = [schema]
    while todo:
        part = todo.pop()
        if isinstance(part, list):
            todo += part
        elif isinstance(part, dict):
            if part.get("type") == "object" and "properties" in part:
                part["additionalProperties"] = False
            todo += part.values()
    return schema


def where(error):
    return "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in error.absolute_path) or "the document"


def ends_in(path, ends):
    return any(path == end or path.endswith("." + end) for end in ends)


def faults(value, path, optional, free):
    """Copies of the value with one fault each, described. Of a list only the first item is tried."""
    yield f"{path}: another type", WRONG[type(value)]
    if isinstance(value, dict):
        for key, member in value.items():
            inner = f"{path}.{key}" if path else key
            if not ends_in(inner, optional):
                yield f"{inner}: missing", {k: v for k, v in value.items() if k != key}
            for what, bad in faults(member, inner, optional, free):
                yield what, {**value, key: bad}
    elif isinstance(value, list) and value:
        if type(value[0]) in (int, float) and not ends_in(path, free):
            yield f"{path}: a number too few", value[:-1]
        for what, bad in faults(value[0], path + "[]", optional, free):
            yield what, [bad] + value[1:]


def main():
    schema_path, documents_path = sys.argv[1:3]
    optional, free = (argument.split(",") for argument in sys.argv[3:5])
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator, strict = (jsonschema.Draft202012Validator(s) for s in (schema, closed(schema)))
    documents, refused, tried = 0, 0, set()
    for document in read_stream(documents_path):
        documents += 1
        for error in strict.iter_errors(document):
            sys.exit(f"{schema_path}: document {documents}: {where(error)}: {error.message[:300]}")
        for what, bad in faults(document, "", optional, free):
            if what in tried:
                continue
            tried.add(what)
            if validator.is_valid(bad):
                sys.exit(f"{schema_path}: document {documents} is accepted with a fault: {what}")
            refused += 1
    if documents == 0 or refused == 0:
        sys.exit(f"{schema_path}: {documents} documents and {refused} faults: nothing was tested")
    print(f"{schema_path}: {documents} documents keep to it, {refused} faults are refused")


main()
