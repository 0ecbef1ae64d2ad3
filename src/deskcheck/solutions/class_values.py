"""Represent values of a program's classes in another process, which does not have these classes.

    base_of(class of an IntEnum) -> int         the built-in whose behavior the class leaves alone; else None
    stand_in("Color", 3, refuse)                an instance of a new subclass of int, equal to 3
    unknown("Point", refuse, ..)                an object whose every use calls refuse("Point")

A stand-in compares, orders, hashes, iterates and computes as the built-in does. The program's class may give
its instances another text or further attributes; a use of these calls `refuse`, which raises.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from deskcheck.tracing.access import mro, type_dict
from deskcheck.tracing.shapes import is_heap_type

Refuse = Callable[[str], NoReturn]
_BASES = (int, float, complex, str, bytes, tuple, list, dict, set, frozenset)
# Names in a subclass that leave the behavior of its instances as values alone.
_HARMLESS = frozenset(
    f"__{name}__"
    for name in """new init doc module qualname slots dict weakref annotations annotate annotate_func
    annotations_cache match_args getnewargs getnewargs_ex reduce reduce_ex dir init_subclass class_getitem
    set_name orig_bases parameters firstlineno static_attributes copy deepcopy replace getstate setstate
    sizeof signature repr str format""".split()
)
_TEXTS = ("__repr__", "__str__", "__format__")
# All that an object can be asked to do through its class.
_ASKED = [
    *_TEXTS,
    *(
        f"__{name}__"
        for name in """bytes lt le gt ge bool getattr len length_hint getitem setitem delitem iter next
        reversed contains call enter exit aiter anext await aenter aexit int float complex index round trunc
        floor ceil neg pos abs invert dir""".split()
    ),
    *(
        f"__{side}{name}__"
        for side in ("", "r", "i")
        for name in "add sub mul matmul truediv floordiv mod divmod pow lshift rshift and xor or".split()
    ),
]
_COMPARED = ("__eq__", "__ne__", "__hash__")


def base_of(kind: type) -> type | None:
    """Return the built-in type whose behavior a subclass leaves alone; None if there is none."""
    if not is_heap_type(kind):
        return None
    classes: list[type] = []
    for base in mro(kind):
        if base in _BASES:
            names = [name for each in classes for name in type_dict(each)]
            return base if all(_is_harmless(name, base) for name in names) else None
        if not is_heap_type(base):
            return None
        classes.append(base)
    return None


def _is_harmless(name: object, base: type) -> bool:
    if type(name) is not str:  # its comparison could be the program's
        return False
    is_special = name[:2] == name[-2:] == "__"
    return name in _HARMLESS or not (is_special or name in dir(base))


def is_compared_by_identity(kind: type) -> bool:
    """Whether the instances of a class equal nothing but themselves."""
    first = next(one for one in mro(kind) if "__eq__" in type_dict(one))
    return first is object


def raw_value(value: Any, base: type) -> object:
    """Return the value of an instance of a subclass as one of the built-in type, by that type's methods."""
    if base in (int, float, complex):
        convert: Callable[[Any], object] = getattr(base, f"__{base.__name__}__")
        return convert(value)
    if base is dict:
        return dict(dict.items(value))
    kind: Any = base
    if base in (set, frozenset):
        return kind(kind.__iter__(value))
    return kind.__getitem__(value, slice(None))


def stand_in(name: str, value: Any, refuse: Refuse) -> object:
    """Return an instance of a new subclass of the value's type, with this name and value."""
    members = _refusing((*_TEXTS, "__getattr__"), name, refuse)
    return type(name, (type(value),), members)(value)


def unknown(name: str, refuse: Refuse, *, has_identity: bool) -> object:
    """Return an object whose every use is refused; with `has_identity` it equals itself and nothing else."""
    members = _refusing((*_ASKED, *(() if has_identity else _COMPARED)), name, refuse)
    members["__class__"] = property(members["__getattr__"])  # isinstance asks for it
    return type(name, (), members)()


def _refusing(names: tuple[str, ...], kind: str, refuse: Refuse) -> dict[str, Any]:
    def refused(*_: object) -> NoReturn:
        refuse(kind)

    return dict.fromkeys(names, refused)
