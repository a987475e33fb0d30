"""Plain data as TypeScript types: from a JSON Schema, or from examples where there is no schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

SCALARS = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
PLAIN = {bool: "boolean", int: "number", float: "number", str: "string", type(None): "null"}


class Typed(str):
    """A type by its name, in an example, where other examples could not tell it."""


def camel(name: str) -> str:
    """`lost-heir` as `LostHeir`."""
    return "".join(part.capitalize() for part in name.split("-"))


def many(inner: str) -> str:
    """A list of a type."""
    return f"({inner})[]" if " " in inner and not inner.startswith("[") else f"{inner}[]"


# from a schema


def type_of(schema: Mapping[str, Any]) -> str:
    """The type that a JSON Schema describes."""
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[1]
    if "enum" in schema:
        return " | ".join(f'"{value}"' for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(type_of(each) for each in schema["anyOf"]))
    kind = schema.get("type")
    if kind == "array":
        return many(type_of(schema.get("items", {})))
    if kind == "object":
        return f"Record<string, {type_of(schema.get('additionalProperties') or {})}>"
    return SCALARS[kind] if kind else "unknown"


def declared(name: str, schema: Mapping[str, Any]) -> str:
    """A struct's schema as an exported type; a member with a default may be missing."""
    needed = schema.get("required", [])
    members = [
        f"  {member}{'' if member in needed else '?'}: {type_of(shape)};"
        for member, shape in schema.get("properties", {}).items()
    ]
    return f"/** {schema.get('description', name)} */\nexport type {name} = {{\n" + "\n".join(members) + "\n};"


# from examples


def seen_in(examples: Sequence[Any]) -> str:
    """The narrowest type that fits all examples."""
    plain = [list(example) if isinstance(example, tuple) else example for example in examples]
    scalars = (each for each in plain if not isinstance(each, dict | list))
    kinds = dict.fromkeys(str(each) if isinstance(each, Typed) else PLAIN[type(each)] for each in scalars)
    if lists := [each for each in plain if isinstance(each, list)]:
        kinds[_seen_list(lists)] = None
    if objects := [each for each in plain if isinstance(each, dict)]:
        kinds[_seen_object(objects)] = None
    return " | ".join(sorted(kinds, key=lambda kind: kind == "null"))


def _seen_list(lists: Sequence[list[Any]]) -> str:
    filled = [each for each in lists if each]
    if not filled:
        return "unknown[]"
    firsts, seconds = ({type(each[at]) for each in filled if len(each) == 2} for at in (0, 1))
    if all(len(each) == 2 for each in filled) and firsts != seconds:
        return f"[{seen_in([each[0] for each in filled])}, {seen_in([each[1] for each in filled])}]"
    return many(seen_in([item for each in filled for item in each]))


def _seen_object(objects: Sequence[dict[str, Any]]) -> str:
    names = list(dict.fromkeys(name for each in objects for name in each))
    if not all(objects) or not all(name.isidentifier() and name.islower() for name in names):
        return f"Record<string, {seen_in([value for each in objects for value in each.values()] or [0])}>"
    return members(
        {
            f"{name}{'' if all(name in each for each in objects) else '?'}": seen_in(
                [each[name] for each in objects if name in each]
            )
            for name in names
        }
    )


def members(types: Mapping[str, str]) -> str:
    """An object type by its members; a `?` behind a name means that it may be missing."""
    return "{ " + "; ".join(f"{name}: {kind}" for name, kind in types.items()) + " }"


def constant(name: str, values: Mapping[str, int]) -> str:
    """An exported table of numbers."""
    entries = ", ".join(f'"{key}": {value}' for key, value in values.items())
    return f"export const {name}: Record<string, number> = {{ {entries} }};"
