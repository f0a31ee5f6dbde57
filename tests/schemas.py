#!/usr/bin/env python3
"""Holds documents against a JSON Schema, and the schema against faults in the documents.

    schemas.py SCHEMA MANUAL DOCUMENTS OPTIONAL FREE [READER...]

SCHEMA: a JSON Schema of draft 2020-12. MANUAL: the text beside it, with examples that are documents too. DOCUMENTS: a file of JSON documents that follow one another. OPTIONAL: members
that a document may lack. FREE: lists of numbers of any length. Both are ends of paths like clips[].channels[].t, with
commas between. Asked is: every document keeps to the schema; it has no member that the schema does not name; the schema
describes every member, or the manual names it; and a value of another type, a member missing that is not OPTIONAL, and a number too few in a list
that is not FREE are refused, wherever they are. READER, a command that takes a document on stdin, has to be of the same
mind.
"""
import copy
import json
import re
import subprocess
import sys

import jsonschema

WRONG = {str: 7, int: "7", float: "7", bool: "true", list: {}, dict: [], type(None): []}


def no_constant(name):
    raise ValueError(f"{name} is no JSON")


def read_text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def read_stream(text):
    decoder = json.JSONDecoder(parse_constant=no_constant)
    text = text.lstrip()
    while text:
        document, end = decoder.raw_decode(text)
        yield document
        text = text[end:].lstrip()


def examples(manual, name):
    """The code blocks that are documents of that format."""
    return "\n".join(block for block in re.findall(r"^```\n(\{.*?^\})\n```$", manual, re.S | re.M) if f'"{name}"' in block)


def objects(schema):
    """The parts of the schema that describe an object."""
    todo = [schema]
    while todo:
        part = todo.pop()
        if isinstance(part, list):
            todo += part
        elif isinstance(part, dict):
            if part.get("type") == "object" and "properties" in part:
                yield part
            todo += part.values()


def described(schema, member):
    """A member says what it is: by a description, by its values, or as an object (or a list of such) whose members say it."""
    if "description" in member:
        return True
    member = member.get("items", member)
    if "$ref" in member:
        member = schema["$defs"][member["$ref"].rsplit("/", 1)[1]]
    return any(key in member for key in ("description", "const", "enum", "properties"))


def closed(schema):
    """The schema with members forbidden that it does not name."""
    schema = copy.deepcopy(schema)
    for part in list(objects(schema)):
        part["additionalProperties"] = False
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


def takes(reader, document):
    return subprocess.run(reader, input=json.dumps(document).encode(), stderr=subprocess.DEVNULL).returncode == 0


def main():
    schema_path, manual_path, documents_path = sys.argv[1:4]
    optional, free = (argument.split(",") for argument in sys.argv[4:6])
    reader = sys.argv[6:]
    schema, manual = json.loads(read_text(schema_path)), read_text(manual_path)
    jsonschema.Draft202012Validator.check_schema(schema)
    for member in sorted({name for part in objects(schema) for name, told in part["properties"].items() if not described(schema, told)}):
        if f"`{member}`" not in manual:
            sys.exit(f"{schema_path}: `{member}` has no description, and {manual_path} does not name it")
    validator, strict = (jsonschema.Draft202012Validator(s) for s in (schema, closed(schema)))
    documents, tried = 0, set()
    for document in read_stream(examples(manual, schema["title"]) + read_text(documents_path)):
        documents += 1
        for error in strict.iter_errors(document):
            sys.exit(f"{schema_path}: document {documents}: {where(error)}: {error.message[:300]}")
        if reader and not takes(reader, document):
            sys.exit(f"{schema_path}: document {documents} keeps to it, but is refused by {reader[0]}")
        for what, bad in faults(document, "", optional, free):
            if what in tried:
                continue
            tried.add(what)
            if validator.is_valid(bad):
                sys.exit(f"{schema_path}: document {documents} is accepted with a fault: {what}")
            if reader and takes(reader, bad):
                sys.exit(f"{schema_path}: document {documents} is read by {reader[0]} with a fault: {what}")
    if documents == 0 or not tried:
        sys.exit(f"{schema_path}: {documents} documents and {len(tried)} faults: nothing was tested")
    print(f"{schema_path}: {documents} documents keep to it, {len(tried)} faults are refused")


main()
