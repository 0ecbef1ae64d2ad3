"""Build the tokenizer of models trained from scratch, from lists of words instead of a corpus.

    build_tokenizer().encode("@4 | s='ab'; n=12").tokens      793 tokens; more with size=WIDE_SIZE
    -> @4 ' | ' s = ' ##a ##b ##' '; ' n = 1 2        (bytes are shown readably)

One token is a character inside a string literal, a digit, a keyword, an operator, a built-in, a method, a
layout name or a run of spaces. A name that is not in the list is spelled. The vocabulary is byte-level:
nothing is unknown, and decode(encode(x)) == x for any text. No token crosses the end of a line. A prompt's
head, which ends with a line's end, can therefore be encoded, and cached, separately: tokens(head + body) ==
tokens(head) + tokens(body).

A regular expression cuts the text into pieces. A piece in the vocabulary is one token. Any other piece is
spelled byte by byte, and every byte after the first has a continuing form ("##a"). Sources: docs/training.md,
"tokens".
"""

from __future__ import annotations

import re
from itertools import product
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

from deskcheck.errors import MissingExtra

if TYPE_CHECKING:
    from tokenizers import Tokenizer

PAD, BOS, EOS = "<pad>", "<s>", "</s>"
PAD_ID, BOS_ID, EOS_ID = 0, 1, 2
CONTINUING = "##"
BASE, WIDE_SIZE, COMPUTING_SIZE = 793, 931, 1_060
"""Numbers of tokens of the three vocabularies; each begins with all tokens of the smaller one.

The third is for the models that compute: names and places are single tokens in it.
"""

LAYOUTS = ("[direct]", "[scratchpad]", "[compact]", "[line-1]", "[line-n]")
KEYWORDS = (
    "False None True and as assert async await break case class continue def del elif else except finally "
    "for from global if import in is lambda match nonlocal not or pass raise return try while with yield "
    "call"
).split()
BUILTINS = (
    "abs all any bin bool bytearray bytes callable chr complex dict divmod enumerate filter float format "
    "frozenset getattr hasattr hash hex id int isinstance issubclass iter len list map max min next "
    "object oct open ord pow print range repr reversed round set setattr slice sorted staticmethod str "
    "sum super tuple type zip inf nan deque defaultdict Counter self cls start key reverse"
).split()
METHODS = (
    "add append appendleft capitalize casefold center clear copy count decode difference discard encode "
    "endswith expandtabs extend find fromkeys get index insert intersection isalnum isalpha isascii "
    "isdecimal isdigit isidentifier islower isnumeric isspace issubset issuperset istitle isupper items "
    "join keys ljust lower lstrip maketrans partition pop popitem popleft remove removeprefix "
    "removesuffix replace rfind rindex rjust rotate rpartition rsplit rstrip setdefault sort split "
    "splitlines startswith strip swapcase title translate union update upper values zfill"
).split()
EXCEPTIONS = (
    "ArithmeticError AssertionError AttributeError Exception IndexError KeyError LookupError NameError "
    "RecursionError RuntimeError StopIteration TypeError UnboundLocalError ValueError ZeroDivisionError"
).split()
NAMES = (
    "total result text nums out acc left right value word ch data res tmp cur best lst arr words letters "
    "idx limit size flag seen pos low high last first num ans xs ys prev char chars row col stack queue "
    "node helper args"
).split()
OPERATORS = (
    "** // == != <= >= += -= *= /= %= //= **= << >> -> := <- !! "  # without spaces
    "+ - * / % < > = & | ^ ~ @ ! ( ) [ ] { } , : ; . # ? \\ $ ` ' \""
).split()
SPACED = [
    *(
        f" {o} "
        for o in "= == != < > <= >= + - * / // % ** += -= *= //= %= | / in is and or if else for".split()
    ),
    *(", ", ": ", "; ", "<- ", "* | ", " not in ", " is not "),
]
LINES = range(1, 31)
"""Lines whose marks are tokens: "@7" before the code and in states, ">7" for calls.

Other marks are spelled.
"""
LINE_MARKS = [f"{mark}{n}" for n in LINES for mark in "@>"]
SPACE_RUNS = [" " * n for n in range(1, 22)]

WIDE = (
    "sub full line expression instruction debugger adaptive cwm skip over breakpoint "
    "BEFORE_WITH BINARY_OP BINARY_SLICE BINARY_SUBSCR BUILD_CONST_KEY_MAP BUILD_LIST BUILD_MAP "
    "BUILD_SET BUILD_SLICE BUILD_STRING BUILD_TUPLE CALL CALL_FUNCTION_EX CALL_INTRINSIC_1 "
    "CALL_INTRINSIC_2 CALL_KW CHECK_EG_MATCH CHECK_EXC_MATCH CLEANUP_THROW COMPARE_OP CONTAINS_OP "
    "CONVERT_VALUE COPY COPY_FREE_VARS DELETE_ATTR DELETE_DEREF DELETE_FAST DELETE_GLOBAL DELETE_NAME "
    "DELETE_SUBSCR DICT_MERGE DICT_UPDATE END_FOR END_SEND EXIT_INIT_CHECK FORMAT_SIMPLE FORMAT_VALUE "
    "FORMAT_WITH_SPEC FOR_ITER GET_ITER GET_LEN GET_YIELD_FROM_ITER IMPORT_FROM IMPORT_NAME IS_OP "
    "JUMP_BACKWARD JUMP_BACKWARD_NO_INTERRUPT JUMP_FORWARD JUMP_IF_FALSE_OR_POP JUMP_IF_TRUE_OR_POP "
    "KW_NAMES LIST_APPEND LIST_EXTEND LIST_TO_TUPLE LOAD_ASSERTION_ERROR LOAD_ATTR LOAD_BUILD_CLASS "
    "LOAD_CLASSDEREF LOAD_CLOSURE LOAD_CONST LOAD_DEREF LOAD_FAST LOAD_FAST_AND_CLEAR LOAD_FAST_CHECK "
    "LOAD_FAST_LOAD_FAST LOAD_FROM_DICT_OR_DEREF LOAD_FROM_DICT_OR_GLOBALS LOAD_GLOBAL LOAD_LOCALS "
    "LOAD_METHOD LOAD_NAME LOAD_SUPER_ATTR MAKE_CELL MAKE_FUNCTION MAP_ADD MATCH_CLASS MATCH_KEYS "
    "MATCH_MAPPING MATCH_SEQUENCE NOP POP_BLOCK POP_EXCEPT POP_JUMP_BACKWARD_IF_FALSE "
    "POP_JUMP_BACKWARD_IF_NONE POP_JUMP_BACKWARD_IF_NOT_NONE POP_JUMP_BACKWARD_IF_TRUE "
    "POP_JUMP_FORWARD_IF_FALSE POP_JUMP_FORWARD_IF_NONE POP_JUMP_FORWARD_IF_NOT_NONE "
    "POP_JUMP_FORWARD_IF_TRUE POP_JUMP_IF_FALSE POP_JUMP_IF_NONE POP_JUMP_IF_NOT_NONE POP_JUMP_IF_TRUE "
    "POP_TOP PRECALL PREP_RERAISE_STAR PUSH_EXC_INFO PUSH_NULL RAISE_VARARGS RERAISE RETURN_CONST "
    "RETURN_GENERATOR RETURN_VALUE SEND SET_ADD SET_FUNCTION_ATTRIBUTE SET_UPDATE STORE_ATTR "
    "STORE_DEREF STORE_FAST STORE_FAST_LOAD_FAST STORE_FAST_STORE_FAST STORE_GLOBAL STORE_NAME "
    "STORE_SLICE STORE_SUBSCR SWAP TO_BOOL UNARY_INVERT UNARY_NEGATIVE UNARY_NOT UNARY_POSITIVE "
    "UNPACK_EX UNPACK_SEQUENCE WITH_EXCEPT_START YIELD_VALUE"
).split()
"""Names in layouts other than the first five: of the layouts, and of instructions of CPython 3.11 to 3.13."""

NAME_TOKENS = [f"${n}" for n in range(64)]
"""Names that no program has, so that they are never confused with a value."""
PLACES = [f"#{n}" for n in range(64)]
"""Marks of places in a list or a string, in the working before an answer."""
COMPUTING = [" -> ", *NAME_TOKENS, *PLACES]

_STRING = r"'(?:[^'\\\n]|\\[^\n])*'|\"(?:[^\"\\\n]|\\[^\n])*\""
_NAME = r"[^\W\d]\w*"


def _alternatives(words: list[str]) -> str:
    return "|".join(re.escape(w).replace(r"\ ", " ") for w in sorted(words, key=lambda w: (-len(w), w)))


def pattern(*, digits: str = "[0-9]", computes: bool = False) -> str:
    """Return the regular expression whose successive matches are the pieces of a text.

    `digits`: pattern of the tokens of a number. `computes`: whether it is for the third vocabulary.
    """
    word_ends = [s for s in SPACED if s.strip()[-1].isalpha()]
    marks = [s for s in SPACED if s not in word_ends]
    return "|".join(
        (
            _alternatives(list(LAYOUTS)),
            # The same token in the code and in a state, so that a model finds a line by finding its mark
            # again.
            r"(?:^|(?<=/ ))[@>](?:30|[12][0-9]|[1-9])(?![0-9])",
            _STRING,
            *((r"[$#](?:6[0-3]|[1-5]?[0-9])(?![0-9])", " -> ") if computes else ()),
            _NAME,
            digits,
            _alternatives(word_ends),
            _alternatives(marks),
            _alternatives([o for o in OPERATORS if len(o) > 1]),
            r"\n",
            " +",
            r"[\s\S]",
        )
    )


def byte_characters() -> list[str]:
    """Return the printable character for each byte in byte-level vocabularies (GPT-2's table)."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    table, extra = {b: chr(b) for b in printable}, 0
    for byte in range(256):
        if byte not in table:
            table[byte] = chr(256 + extra)
            extra += 1
    return [table[b] for b in range(256)]


def vocabulary(*, size: int = BASE) -> dict[str, int]:
    """Return token -> id: special tokens, then bytes, then continuing bytes, then whole words.

    The first ids are the same in every size, so weights of a smaller vocabulary fit a larger one.
    """
    characters = byte_characters()
    usable = [b for b in range(256) if b < 0xF5 and b not in (0xC0, 0xC1)]  # no other byte occurs in UTF-8
    first = [characters[b] for b in usable if not 0x80 <= b < 0xC0]
    continuing = [CONTINUING + characters[b] for b in usable if b != 0x0A]
    words = [
        *LAYOUTS,
        *KEYWORDS,
        *BUILTINS,
        *METHODS,
        *EXCEPTIONS,
        *NAMES,
        *OPERATORS,
        *SPACED,
        *SPACE_RUNS,
        *LINE_MARKS,
        *WIDE,
        *COMPUTING,
    ]
    known = size if size <= COMPUTING_SIZE else WIDE_SIZE  # `larger_tokens` adds more to the wide one
    whole = ["".join(characters[b] for b in word.encode()) for word in words]
    tokens = dict.fromkeys([PAD, BOS, EOS, *first, *continuing, *whole])
    return {token: number for number, token in enumerate(tokens) if number < known}


PLAIN_DIGITS = "[0-9]{1,3}"
"""Pattern that cuts a number from its left into groups of up to three digits (Llama 3's rule)."""
_GROUPS = ["".join(digits) for n in (2, 3) for digits in product("0123456789", repeat=n)]
_PAIRS = list(product(ascii_lowercase, repeat=2))
PLAIN_SIZE = WIDE_SIZE + len(_GROUPS) + len(_PAIRS)
"""Number of tokens of a vocabulary with larger tokens for literals, for comparison with spelled literals.

Lower-case letters inside strings and spelled names are joined in pairs. The ids of all other tokens are those
of the wide vocabulary, so that its weights fit. Reason: Execution Tuning (arXiv 2503.05703), where characters
are not tokens, names string indexing among its failures. No preset uses this vocabulary.
"""


def larger_tokens(words: dict[str, int]) -> tuple[dict[str, int], list[tuple[str, str]]]:
    """Return the vocabulary with larger tokens, and the pairs that are joined inside a word, by priority."""
    found = [*_GROUPS, *(CONTINUING + first + second for first, second in _PAIRS)]
    merges = [(CONTINUING + first, CONTINUING + second) for first, second in _PAIRS]
    return words | {token: WIDE_SIZE + number for number, token in enumerate(found)}, merges


def build_tokenizer(*, size: int = BASE) -> Tokenizer:
    """Build the tokenizer with a vocabulary of `size` tokens; its bytes are always the same.

    A size over COMPUTING_SIZE means the wide vocabulary with larger tokens for literals (`larger_tokens`).
    """
    try:
        from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers
    except ImportError:
        raise MissingExtra("tokenizers", "train", "building a tokenizer") from None
    words, pieces = vocabulary(size=size), pattern(computes=size == COMPUTING_SIZE)
    merges: list[tuple[str, str]] = []
    if size > COMPUTING_SIZE:
        words, merges = larger_tokens(words)
        pieces = pattern(digits=PLAIN_DIGITS)
    parts: Any = models.BPE(
        vocab=words, merges=merges, ignore_merges=True, continuing_subword_prefix=CONTINUING
    )
    tokenizer = Tokenizer(parts)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(pieces), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.normalizer = normalizers.Sequence([])
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace(Regex(f"^{CONTINUING}(?=.)"), ""), decoders.ByteLevel()]
    )
    tokenizer.add_special_tokens([AddedToken(t, special=True, normalized=False) for t in (PAD, BOS, EOS)])
    return foreign_text(tokenizer)


def foreign_text(tokenizer: Tokenizer) -> Tokenizer:
    """Make a tokenizer spell "</s>" in a program's string, so that it never ends the text; return it.

    No file stores this setting, so it is set again after a tokenizer is loaded.
    """
    tokenizer.encode_special_tokens = True
    return tokenizer
