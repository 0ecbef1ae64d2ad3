"""Lists from which `library_inputs` guesses arguments: typical values, and names of parameters by type.

Do not change the order of a list: pinned programs know a call by its number, and draws depend on the order.
"""

from __future__ import annotations

# fmt: off
WORDS = (
    "alpha", "beta", "hello", "world", "data", "index", "value", "Key", "item", "node", "a", "b", "xyz",
)
TEXTS = (
    "hello world", "The quick brown fox", "snake_case_name", "camelCaseName", "a,b,,c",
    "key=value; other=2", "  padded  ", "line one\nline two\n  line three", "42", "-17", "3.14",
    "2024-02-29", "1.2.3", "", "x", "aabbbc", "level", "path/to/file.tar.gz", "/usr/lib/../bin",
    "https://user@example.org:80/a/b?q=1#top", "<b>bold & 'it'</b>", "foo(bar, baz)", "100%", "%s is %d",
    "naïve café", "ABBA", "0x1f", "1,234.5", "{a} {b}", "name@example.com", "*.py", "tab\tsep",
    "one two  three", "[1, 2]", "yes", "# comment", "\"quoted\" \\ back",
)
# Part of a parameter's name -> texts that suit it.
NAMED_TEXTS = {
    "path": ("path/to/file.tar.gz", "/usr/lib/../bin", "a/b", "C:\\dir\\file.txt", "file", "../x/./y.py",),
    "file": ("file.txt", "archive.tar.gz", "dir/name.py", ".hidden",),
    "url": (
        "https://user@example.org:80/a/b?q=1#top", "http://example.com", "example.com/path",
        "ftp://h/x;p",
    ),
    "host": ("example.com", "127.0.0.1", "localhost:8080", "[::1]:80",),
    "version": ("1.2.3", "2.0rc1", "1.0.post4", "10.4", "v3",),
    "date": ("2024-02-29", "1999-12-31", "20240102", "12/31/99",),
    "pattern": ("*.py", "a?c", "[a-z]+", "x*y",),
    "sep": (",", "-", " ", "::",),
    "delim": (",", ";",),
    "char": ("a", "Z", "5", " ", "é",),
    "ch": ("a", "7", "_",),
    "c": ("a", "Z", "5",),
    "encoding": ("utf-8", "ascii", "latin-1",),
    "prefix": ("he", "a", "/usr", "",),
    "suffix": ("ld", ".gz", "c", "",),
    "mode": ("r", "w+", "rb",),
    "indent": ("  ", "    ",),
    "email": ("name@example.com", "a.b+c@d.org",),
    "line": ("key = value  # note", "a b c", "x: 1", "",),
}
INTS = (
    0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 13, 17, 21, 28, 42, 60, 97, 100, 255, 360, 1000, 2024, 65535, -1,
    -7,
)
FLOATS = (0.0, 0.25, 0.5, 1.0, 1.5, 2.75, 10.0, 99.9, -3.5, 1234.5,)
BYTES = (b'hello world', b'a=b;c', b'\x00\x01\xff', b'', b'line\r\nnext', b'\x89PNG\r\n',)
# Kind of value -> names of parameters that often hold it.
NAMES = {
    "int": frozenset("""
        n i j k m num number count size width index idx length year month day hour minute second start
        stop step depth level base bits value x y z a b p q low high lo hi limit max min precision
        digits pos offset age code bytes ndigits
    """.split()),
    "float": frozenset("""
        x y ratio frac r g h s v l scale weight seconds rate
    """.split()),
    "str": frozenset("""
        s text string str name line path url word label title source value pattern fmt format prefix
        suffix sep char ch key code filename host version header txt token msg message expr spec tag
        date email encoding
    """.split()),
    "list": frozenset("""
        seq items lst list values iterable args lines words xs data sequence array arr nums numbers
        parts keys names tokens it rows points a heap elements stack coll src row options path
    """.split()),
    "pairs": frozenset("""
        pairs intervals edges ranges spans rows matrix points table
    """.split()),
    "dict": frozenset("""
        d dict mapping dictionary kwargs params options config attrs headers env data counts dct graph
        mapping_dict obj
    """.split()),
    "bytes": frozenset("""
        data buf buffer raw bytes payload b
    """.split()),
    "bool": frozenset("""
        flag strict reverse verbose ignore is_first inclusive
    """.split()),
}
# Name in an annotation -> kind of value for the parameter.
ANNOTATED = {
    "int": "int", "float": "float", "str": "str", "bytes": "bytes", "bool": "bool", "list": "list",
    "List": "list", "Sequence": "list", "Iterable": "list", "Collection": "list", "Iterator": "list",
    "dict": "dict", "Dict": "dict", "Mapping": "dict", "MutableMapping": "dict", "tuple": "tuple",
    "Tuple": "tuple", "set": "set", "Set": "set", "frozenset": "set", "SupportsInt": "int",
    "Text": "str", "AnyStr": "str", "object": "str", "Any": "str", "Number": "int", "StrPath": "str",
    "PathLike": "str", "SupportsIndex": "int", "NumberOrString": "str",
}
# Functions whose arguments are mostly texts, and functions whose argument is mostly an iterable.
TEXTUAL = {"findall", "finditer", "fullmatch", "match", "ord", "search", "split", "sub"}
ITERATING = set("all any enumerate iter len list map max min reversed set sorted sum tuple zip".split())
# fmt: on
