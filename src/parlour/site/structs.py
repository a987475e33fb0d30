"""What the messages of the table need of msgspec, in plain Python: for browsers, where there is no compiled msgspec."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import json
import re
import types
import typing
from typing import Annotated, Any, ClassVar, Literal, Union, get_args, get_origin

MISSING = object()
NUMBERS = {"ge": lambda value, than: value >= than, "le": lambda value, than: value <= than}
LENGTHS = {"min_length": lambda size, than: size >= than, "max_length": lambda size, than: size <= than}


class MsgspecError(Exception):
    """Any error of this module."""


class DecodeError(MsgspecError):
    """What should be JSON is not."""


class ValidationError(DecodeError):
    """JSON that does not fit."""


class Meta:
    """Limits of a value, and what it means."""

    def __init__(self, **limits: Any) -> None:
        self.limits = limits


class Raw(bytes):
    """JSON that is already encoded."""


class Struct:
    """An object with the members that its class names, in their order."""

    _members: tuple[str, ...] = ()
    _defaults: ClassVar[dict[str, Any]] = {}
    _tag: str | None = None
    _tag_field = "type"
    _omits = False
    _forbids = False
    _types: dict[str, Any] | None = None

    def __init_subclass__(
        cls,
        tag: str | None = None,
        tag_field: str | None = None,
        omit_defaults: bool | None = None,
        forbid_unknown_fields: bool | None = None,
    ) -> None:
        super().__init_subclass__()
        own = [name for name in inspect.get_annotations(cls) if not name.startswith("_")]
        cls._members = (*(name for name in cls._members if name not in own), *own)
        cls._defaults = {**cls._defaults, **{name: cls.__dict__[name] for name in own if name in cls.__dict__}}
        cls._types = None
        cls._tag = tag or cls._tag
        cls._tag_field = tag_field or cls._tag_field
        cls._omits = cls._omits if omit_defaults is None else omit_defaults
        cls._forbids = cls._forbids if forbid_unknown_fields is None else forbid_unknown_fields

    def __init__(self, *values: Any, **named: Any) -> None:
        given = dict(zip(self._members, values, strict=False)) | named
        for name in self._members:
            value = given.get(name, MISSING)
            if value is MISSING:
                if name not in self._defaults:
                    raise TypeError(f"{type(self).__name__} needs {name}")
                value = copy.copy(self._defaults[name])
            setattr(self, name, value)
        if len(values) > len(self._members) or not named.keys() <= set(self._members):
            raise TypeError(f"{type(self).__name__} has no such member")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self._members)})"

    @classmethod
    def member_types(cls) -> dict[str, Any]:
        """The members with their types."""
        if cls._types is None:
            cls._types = typing.get_type_hints(cls, include_extras=True)
        return cls._types


def members(value: Any) -> Any:
    """What JSON has no word for, as something that it has."""
    if isinstance(value, Struct):
        kind = type(value)
        found = {} if kind._tag is None else {kind._tag_field: kind._tag}
        for name in kind._members:
            own = getattr(value, name)
            if not (kind._omits and name in kind._defaults and own == kind._defaults[name]):
                found[name] = own
        return found
    if isinstance(value, Raw):
        return json.loads(value)
    if dataclasses.is_dataclass(value):
        return {each.name: getattr(value, each.name) for each in dataclasses.fields(value)}
    if isinstance(value, set | frozenset):
        return list(value)
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


def encoded(value: Any) -> bytes:
    """A value as JSON."""
    return json.dumps(value, default=members, ensure_ascii=False, separators=(",", ":")).encode()


def decoded(text: bytes | str, type: Any = Any) -> Any:
    """JSON as a value of a type; ValidationError where it does not fit."""
    try:
        found = json.loads(text)
    except ValueError as error:
        raise DecodeError(f"JSON is malformed: {error}") from None
    return fitted(found, type, "$")


def fitted(value: Any, type_: Any, where: str) -> Any:
    """A value of JSON as one of a type."""
    origin, arguments = get_origin(type_), get_args(type_)
    if origin is Annotated:
        found = fitted(value, arguments[0], where)
        for meta in arguments[1:]:
            check(found, meta.limits, where)
        return found
    if type_ is Any:
        return value
    if origin in (Union, types.UnionType):
        return fitted_to_one(value, arguments, where)
    if origin is Literal:
        if value in arguments and type(value) is not bool:
            return value
    elif isinstance(type_, type) and issubclass(type_, Struct):
        return fitted_to_struct(value, type_, where)
    elif type_ is None or type_ is types.NoneType:
        if value is None:
            return None
    elif type_ is float:
        if type(value) in (int, float):
            return float(value)
    elif origin is list:
        if isinstance(value, list):
            return [fitted(each, arguments[0], f"{where}[...]") for each in value]
    elif origin is dict:
        if isinstance(value, dict):
            return {fitted(key, arguments[0], where): fitted(each, arguments[1], where) for key, each in value.items()}
    elif type(value) is type_:
        return value
    raise ValidationError(
        f"Expected `{getattr(type_, '__name__', type_)}`, got `{type(value).__name__}` - at `{where}`"
    )


def fitted_to_one(value: Any, kinds: tuple[Any, ...], where: str) -> Any:
    """A value as one of several types: structs are told apart by their tags."""
    structs = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Struct)]
    if structs and isinstance(value, dict):
        tag = value.get(structs[0]._tag_field)
        kind = next((each for each in structs if each._tag == tag), None)
        if kind is None:
            raise ValidationError(f"Invalid value {tag!r} - at `{where}.{structs[0]._tag_field}`")
        return fitted_to_struct(value, kind, where)
    for kind in kinds:
        try:
            return fitted(value, kind, where)
        except ValidationError as error:
            wrong = error
    raise wrong


def fitted_to_struct(value: Any, kind: type[Struct], where: str) -> Struct:
    """An object as a struct."""
    if not isinstance(value, dict):
        raise ValidationError(f"Expected `object`, got `{type(value).__name__}` - at `{where}`")
    tag = kind._tag_field if kind._tag is not None else None
    given = {name: each for name, each in value.items() if name != tag}
    unknown = given.keys() - set(kind._members)
    if unknown and kind._forbids:
        raise ValidationError(f"Object contains unknown field `{min(unknown)}` - at `{where}`")
    hints = kind.member_types()
    found = {name: fitted(given[name], hints[name], f"{where}.{name}") for name in kind._members if name in given}
    missing = [name for name in kind._members if name not in found and name not in kind._defaults]
    if missing:
        raise ValidationError(f"Object missing required field `{missing[0]}` - at `{where}`")
    return kind(**found)


def check(value: Any, limits: dict[str, Any], where: str) -> None:
    """Refuse a value beyond its limits."""
    for name, limit in limits.items():
        if name in NUMBERS and type(value) in (int, float) and not NUMBERS[name](value, limit):
            raise ValidationError(f"Expected a number {name} {limit} - at `{where}`")
        if name in LENGTHS and isinstance(value, str | list) and not LENGTHS[name](len(value), limit):
            raise ValidationError(f"Expected a length with {name} {limit} - at `{where}`")
        if name == "pattern" and isinstance(value, str) and not re.search(limit, value):
            raise ValidationError(f"Expected text that matches {limit} - at `{where}`")


class Decoder:
    """Decodes values of one type."""

    def __init__(self, type: Any = Any) -> None:
        self.type = type

    def decode(self, text: bytes | str) -> Any:
        """JSON as a value."""
        return decoded(text, self.type)


class Encoder:
    """Encodes values."""

    def encode(self, value: Any) -> bytes:
        """A value as JSON."""
        return encoded(value)


def modules() -> dict[str, types.ModuleType]:
    """Modules to be imported in place of msgspec's."""
    whole, json_ = types.ModuleType("msgspec"), types.ModuleType("msgspec.json")
    vars(json_).update(encode=encoded, decode=decoded, Encoder=Encoder, Decoder=Decoder)
    kinds = (Struct, Meta, Raw, MsgspecError, DecodeError, ValidationError)
    vars(whole).update({kind.__name__: kind for kind in kinds}, json=json_)
    return {"msgspec": whole, "msgspec.json": json_}
