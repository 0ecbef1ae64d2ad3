"""Tables of the words and marks with which a model's reply announces its answer.

STATEMENT_LANGUAGES   for each spoken language: names of an answer, verbs, words of doubt and of explanation
TAGS        names of answer tags besides [ANSWER]
THINKING    marks around reasoning that is not searched
ENVELOPES   keys of a JSON object under which an answer stands

To support a further language, or the tags of a further model, add a row. The files that search replies
(`statements.py`, `places.py`, `envelopes.py`, ..) take these words from here; patterns that only one file
needs stand in that file.
"""

from __future__ import annotations

import re

from msgspec import Struct


class StatementLanguage(Struct, frozen=True):
    """Words of one spoken language, in lower case. A space inside a phrase stands for any white space."""

    code: str
    answers: tuple[str, ...]
    """Nouns that name a final answer."""
    programs: tuple[str, ...]
    """Nouns for a program or a part of it."""
    copulas: tuple[str, ...]
    """Words between the name of an answer and its value."""
    verbs: tuple[str, ...]
    """Verbs between a program and the value that it gives."""
    fillers: tuple[str, ...] = ()
    """Words that may stand before a value: articles, adverbs, names of types."""
    tails: tuple[str, ...] = ()
    """Words that may follow a value: reasons, conditions of the call, the end of a verb."""
    raises: tuple[str, ...] = ()
    """Verbs before the name of an exception."""
    raised: tuple[str, ...] = ()
    """Words after the name of an exception that say that it is raised."""
    hedges: tuple[str, ...] = ()
    """Words that make a statement a choice, a denial or a condition."""
    closers: tuple[str, ...] = ()
    """Further words before a value at the end of a reply's last sentence, most of them verbs."""
    spaced: bool = True
    """Whether words are separated by spaces."""


STATEMENT_LANGUAGES: tuple[StatementLanguage, ...] = (
    StatementLanguage(
        "en",
        (
            "answer", "answers", "ans", "output", "result", "return value", "returned value",
            "value returned", "final value", "final state", "final output", "final result", "solution",
            "tl;dr", "correct assertion", "full assertion", "outcome", "prediction", "stdout",
            "value printed", "printed value", "text printed", "printed text", "value that is returned",
            "value that is printed", "response", "return",
        ),
        (
            "function", "call", "code", "program", "method", "snippet", "script", "assertion", "functions",
            "interpreter", "print statement", "statement", "last line", "final line", "computation",
            "evaluation", "execution", "expression", "command",
        ),
        (
            "is", "are", "will be", "would be", "should be", "becomes", "equals", "was", "must be",
            "evaluates to", "comes out", "has a value of", "has the value of", "has the value",
            "turns out", "works out", "ends up", "remains", "reads", "amounts to", "has to be",
        ),
        (
            "returns", "return", "returned", "returning", "gives", "give", "yields", "yield", "yielding",
            "outputs", "output", "outputting", "prints", "print", "printed", "printing", "produces",
            "produce", "produced", "producing", "evaluates to", "evaluate to", "results in", "result in",
            "displays", "display", "shows", "computes", "generates", "leads to", "resolves to",
            "reduces to", "simplifies to", "emits", "reports", "terminates with", "ends with",
        ),
        (
            "to be", "to", "as", "being", "calculated", "computed", "determined", "evaluated",
            "given by", "going to be", "now", "us", "back", "still",
            "therefore", "thus", "then", "simply", "just", "exactly", "indeed", "finally", "equal to", "a",
            "an", "the", "empty", "final", "resulting", "single", "boolean", "integer", "literal", "value",
            "values", "list", "tuple", "string", "str", "dict", "dictionary", "set", "int", "number",
            "bool",
            "float", "result", "of", "following", "as follows", "array", "be", "also", "that",
        ),
        (
            "because", "since", "when", "given", "due to", "assuming", "based on", "so", "according to",
            "once", "i.e.",
            "to the console", "to the screen", "to the caller", "to the user", "to stdout",
            "to standard output", "here", "upon", "exactly", "and the program ends", "and the function ends",
            "and the loop ends", "and the program terminates", "and the function terminates",
            "and the function returns", "and terminates", "and exits", "and stops",
        ),
        (
            "raises", "throws", "will raise", "would raise", "fails with", "results in", "crashes with",
            "ends with", "terminates with", "triggers", "will throw",
        ),
        ("is raised", "will be raised", "is thrown", "will be thrown", "occurs", "will occur", "exception",
         "error"),
        (
            "either", "one of", "possible", "possibly", "maybe", "perhaps", "probably", "could be", "might",
            "may be", "depends", "not", "never", "no longer", "unsure", "unclear", "cannot", "guess",
            "approximately", "roughly", "about", "around", "wrong", "incorrect", "if", "unless", "example",
            "e.g.", "or", "otherwise", "else", "instead", "rather", "initially", "expected answer", "suppose",
            "think", "thought", "claims", "assume", "likely", "at least", "at most", "without", "neither",
            "would have", "used to", "for instance", "for example", "whether", "mistake", "say", "says",
            "expect", "fails", "fail", "previous", "earlier", "former", "old", "rule out", "false",
        ),
        closers=("holds", "contains", "get", "gets", "sees", "say", "predict", "with", "being"),
    ),
    StatementLanguage(
        "zh",
        ("答案", "结果", "输出", "返回值", "输出结果", "返回结果"),
        ("函数", "程序", "代码", "调用", "它"),
        ("是", "为", "等于", "应该是", "应该为", "应为", "会是", "将是", "就是", "将为"),
        ("返回", "输出", "得到", "打印出", "会返回", "将返回", "会输出", "将输出", "最终返回", "打印",
         "返回了",
         "应该返回"),
        ("列表", "字符串", "元组", "一个", "空", "的"),
        ("因为", "由于", "所以"),
        ("抛出", "引发", "触发", "会抛出", "将抛出", "抛出了", "会引发"),
        ("异常", "错误"),
        ("可能", "或者", "或", "不", "如果", "也许", "大概", "取决于", "例如", "比如"),
        spaced=False,
    ),
    StatementLanguage(
        "de",
        ("antwort", "ausgabe", "ergebnis", "rückgabewert", "endergebnis", "resultat", "lösung"),
        ("funktion", "programm", "code", "aufruf", "methode", "skript"),
        ("ist", "lautet", "wäre", "beträgt", "sind", "wird"),
        ("gibt", "liefert", "ergibt", "erzeugt", "druckt"),
        ("also", "somit", "daher", "eine", "ein", "leere", "liste", "den", "die", "das", "wert", "demnach"),
        ("zurück", "aus", "weil", "da", "denn", "sein"),
        ("wirft", "löst", "wirft einen", "löst einen"),
        ("wird ausgelöst", "wird geworfen", "tritt auf", "aus", "ausgelöst", "geworfen"),
        ("nicht", "oder", "vielleicht", "wenn", "falls", "könnte", "wahrscheinlich", "möglicherweise",
         "kein",
         "beispiel"),
        closers=("gleich", "folgt"),
    ),
    StatementLanguage(
        "fr",
        ("réponse", "sortie", "résultat", "valeur de retour", "valeur renvoyée", "valeur retournée"),
        ("fonction", "programme", "code", "appel", "méthode"),
        ("est", "sera", "serait", "vaut", "devient"),
        ("renvoie", "retourne", "affiche", "donne", "produit", "renverra", "retournera"),
        ("donc", "alors", "la", "le", "une", "un", "liste", "valeur", "vide", "finalement"),
        ("car", "parce que", "puisque", "pour", "lorsque"),
        ("lève", "déclenche", "lève une", "lèvera"),
        ("est levée", "est déclenchée"),
        ("ne", "n'est", "pas", "ou", "peut-être", "si", "pourrait", "probablement", "exemple"),
    ),
    StatementLanguage(
        "es",
        ("respuesta", "salida", "resultado", "valor de retorno", "valor devuelto"),
        ("función", "programa", "código", "llamada", "método"),
        ("es", "será", "sería"),
        ("devuelve", "retorna", "imprime", "produce", "da", "devolverá"),
        ("por lo tanto", "entonces", "la", "el", "una", "un", "lista", "valor", "vacía"),
        ("porque", "ya que", "puesto que", "para", "cuando"),
        ("lanza", "genera", "lanza una", "lanzará"),
        ("se lanza", "se produce"),
        ("no", "o", "quizás", "tal vez", "si", "podría", "probablemente", "ejemplo"),
    ),
    StatementLanguage(
        "pt",
        ("resposta", "saída", "resultado", "valor de retorno", "valor retornado"),
        ("função", "programa", "código", "chamada", "método"),
        ("é", "será", "seria"),
        ("retorna", "devolve", "imprime", "produz", "dá", "retornará"),
        ("portanto", "então", "a", "o", "uma", "um", "lista", "valor", "vazia"),
        ("porque", "pois", "já que", "para", "quando"),
        ("lança", "gera", "lança uma", "lançará"),
        ("é lançada", "é lançado", "ocorre"),
        ("não", "ou", "talvez", "se", "poderia", "provavelmente", "exemplo"),
    ),
    StatementLanguage(
        "ru",
        ("ответ", "вывод", "результат", "возвращаемое значение", "итог", "результат выражения",
         "значение выражения", "ответом", "результатом", "значение"),
        ("функция", "программа", "код", "вызов", "метод"),
        ("—", "–", "равен", "равно", "будет", "это", "является", "есть"),
        ("возвращает", "вернёт", "вернет", "выводит", "выведет", "печатает", "даёт", "дает"),
        ("следовательно", "поэтому", "список", "значение", "пустой", "равен", "равно"),
        ("потому что", "так как", "поскольку", "для", "при"),
        ("выбрасывает", "вызывает", "выбросит", "вызовет"),
        ("будет выброшено", "возникает", "возникнет"),
        ("не", "или", "может", "если", "возможно", "вероятно", "например"),
        closers=("получаем", "получим", "получается", "выведется", "вернётся"),
    ),
    StatementLanguage(
        "ja",
        ("答え", "出力", "結果", "戻り値", "返り値", "回答"),
        ("関数", "プログラム", "コード", "呼び出し"),
        ("は", "が"),
        ("は", "が"),
        ("最終的に", "空の", "リスト", "値", "、", "したがって"),
        ("です", "になります", "となります", "である", "を返します", "を返す", "を出力します",
         "が返されます",
         "が出力されます", "を返すため", "なので"),
        (),
        ("が発生します", "が発生する", "を送出します", "を投げます", "例外", "エラー"),
        ("ない", "または", "もし", "かも", "たぶん", "おそらく", "場合", "例えば", "ません"),
        spaced=False,
    ),
    StatementLanguage(
        "ko",
        ("답", "정답", "출력", "결과", "반환값", "반환 값", "출력값", "결과값"),
        ("함수", "프로그램", "코드", "호출"),
        ("은", "는", "이", "가"),
        ("은", "는", "이", "가"),
        ("최종적으로", "따라서", "빈", "리스트", "값"),
        ("입니다", "이다", "를 반환합니다", "을 반환합니다", "가 됩니다", "이 됩니다", "을 출력합니다",
         "를 출력합니다",
         "가 반환됩니다", "이 반환됩니다"),
        (),
        ("가 발생합니다", "이 발생합니다", "예외", "오류", "을 발생시킵니다", "를 발생시킵니다"),
        ("아니", "또는", "만약", "아마", "경우", "않", "예를"),
        spaced=False,
    ),
)  # fmt: skip

STATEMENT_LANGUAGES += tuple(
    StatementLanguage(code, answers, programs, copulas, verbs, (), (), (), (), hedges)
    for code, answers, programs, copulas, verbs, hedges in (
        (
            "it", ("risposta", "risultato", "l'output", "uscita", "valore restituito"),
            ("funzione", "programma", "codice"), ("è", "sarà"), ("restituisce", "stampa", "ritorna"),
            ("non", "o", "oppure", "se", "forse", "esempio"),
        ),
        (
            "nl", ("antwoord", "resultaat", "uitvoer"), ("functie", "programma", "code"), ("is", "wordt"),
            ("retourneert", "geeft", "print"), ("niet", "of", "als", "misschien", "voorbeeld"),
        ),
        (
            "pl", ("odpowiedź", "wynik", "wyjście"), ("funkcja", "program", "kod"), ("to", "jest", "wynosi"),
            ("zwraca", "zwróci", "wypisuje"), ("nie", "lub", "jeśli", "może", "przykład"),
        ),
        (
            "uk", ("відповідь", "результат", "вивід"), ("функція", "програма", "код"), ("—", "дорівнює", "є"),
            ("повертає", "поверне", "виведе"), ("не", "або", "якщо", "може", "наприклад"),
        ),
        ("tr", ("cevap", "sonuç", "çıktı"), (), (":",), (), ("değil", "veya", "eğer", "belki")),
        ("vi", ("đáp án", "kết quả", "đầu ra"), (), ("là",), (), ("không", "hoặc", "nếu")),
        ("id", ("jawaban", "hasilnya", "keluaran", "hasil"), (), ("adalah",), (), ("bukan", "atau", "jika")),
        ("cs", ("odpověď", "výsledek", "výstup"), (), ("je",), (), ("není", "nebo", "pokud")),
        ("sv", ("svar", "resultatet", "utdata"), (), ("är",), (), ("inte", "eller", "om")),
        ("hu", ("válasz", "eredmény", "kimenet"), (), (":",), (), ("nem", "vagy", "ha")),
        ("ro", ("răspuns", "rezultatul", "rezultat", "ieșire"), (), ("este",), (), ("nu", "sau", "dacă")),
        ("ar", ("الإجابة", "الناتج", "النتيجة", "الجواب"), (), ("هي", "هو"), (),
         ("ليس", "أو", "إذا", "ربما")),
        ("hi", ("उत्तर", "आउटपुट", "परिणाम"), (), ("है",), (), ("नहीं", "या", "अगर")),
    )
)  # fmt: skip
"""All spoken languages; those from Italian on have no fillers, tails or exceptions, and some no verbs."""

LABELS = (":", "：", "=", "==", "->", "→", "=>", "⇒", "➡️", "➡", "|")
"""Marks between the name of an answer, or a call, and its value."""
NO_ENTRY = frozenset(
    {"len", "type", "sum", "max", "min", "sorted", "set", "list", "str", "int", "abs", "isinstance", "range"}
)
"""Functions whose call in a reply is a step of a calculation, not the call that the task asks about."""
SUBMITS = frozenset({"submit", "submit_answer", "answer", "final_answer", "finish", "respond", "output"})
"""Names of tools that take an answer."""
TAGS = (
    "answer", "ans", "result", "output", "solution", "prediction", "return", "value", "response", "stdout",
    "final",
)  # fmt: skip
"""Words in the names of answer tags. [ANSWER] is the tag that our prompts ask for; a tag of another name
counts only with its closing tag."""
THINKING = (
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("◁think▷", "◁/think▷"),
    ("<|channel|>analysis<|message|>", "<|channel|>final<|message|>"),
    ("<reasoning>", "</reasoning>"),
    ("analysis", "assistantfinal"),  # the same channels, where a server removed the special tokens
)
"""Opening and closing mark of reasoning at the beginning of a reply."""
ENVELOPES = frozenset(
    {
        "answer", "final_answer", "finalanswer", "output", "result", "return", "returns", "return_value",
        "returned", "value", "prediction", "predicted_output", "expected_output", "response", "solution",
        "final_output", "final_result", "ans", "final", "stdout", "predicted", "expected", "final_value",
        "returned_value", "predicted_value", "expected_value", "printed", "predictions", "console",
    }
)  # fmt: skip
"""Keys of a JSON object under which an answer stands."""
BESIDE = frozenset(
    {
        "reasoning", "explanation", "confidence", "steps", "thought", "thoughts", "analysis", "rationale",
        "type", "name", "id", "trace", "notes", "comment", "justification", "chain_of_thought", "certainty",
        "step_by_step", "language", "status", "reason", "summary", "cot", "code", "question", "call",
        "thinking", "description", "detail", "details", "comments", "note", "task",
    }
)  # fmt: skip
"""Keys that may stand beside an answer in a JSON object."""
CALLS = frozenset({"arguments", "parameters", "input", "args", "function", "tool_input"})
"""Keys of a tool call under which its arguments stand."""

_EXPLAINS = (
    r"explanation|because|since|reason(?:ing)?\b|here(?:'s| is| are)|why\b|"
    r"this is (?:because|due|since|the (?:output|answer|result))|"
    r"note(?: that)?\b|details|steps?\b|in (?:other words|detail|summary)|to (?:see|explain|summarize)|"
    r"the reason|walkthrough|trace\b|breakdown|how\b|begründung|erklärung|explication|explicación|"
    r"explicação|объяснение|説明|理由|설명|解释|说明|原因"
)
_CLOSES = (
    r"let me (?:know|explain|walk|break)|i hope|hope (?:this|that)|feel free|"
    r"please (?:let|feel)|if you (?:have|need|want|would)|"
    r"thank|you're welcome|happy to|i'll be happy|do you (?:want|need)|would you like|cheers|✅|🎉"
)
EXPLAINS = re.compile(rf"[\W_]*(?:{_EXPLAINS})", re.IGNORECASE)
"""Beginning of a text that explains an answer before it."""
_FIRST = (
    r"first|second|third|\d+(?:st|nd|rd|th)|next|previous|initial|intermediate|partial|each|every|"
    r"(?:one|two|three|\d+)\s+(?:iterations?|steps?|rounds?)|(?:iteration|step|round)\s+\d+|which|that\b"
)
_INPUT = (
    r"(?:(?:given|provided|specified|above|following|example|sample|test|input|default|function|same)\s+){0,2}"
    r"(?:inputs?|arguments?|parameters?|calls?|values?|tests?|cases?|examples?|lists?|strings?)\b(?!\s+\w+ed\b)"
)
_NAMED = r"[`*]*[A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*[`*]*\s*(?:=|(?:is|as|being|equals|set to|equal to)\s)"
_PARTICIPLE = r"(?:reversed|sorted|doubled|rounded|converted|negated|capitalized|joined)"
_SUBJECT_VERB = (
    r"(?:it|there|this|that|these|they|we|all|both|no|none|nothing|neither)\s|"
    r"the\s+[^\s,;:]+\s+(?:[\w'\"`()]+\s+){0,4}?\w+(?:s|ed)\b|"
    r"(?!an?\s)[^,;:]{1,80}?(?:\s(?:is|are|was|were|has|have|had|does|do|did|can|will|would|gets?|becomes?|"
    r"contains?|returns?|holds|equals?|ends?|remains?|evaluates?|matches|exists?|starts?)\b|\s?[=!<>]=?)"
)
FOLLOWS = re.compile(
    r"as\s+(?:(?:(?:the|its|an?|our)\s+(?:\w+\s+){0,2}?)?(?:result|output|answer|value)\b|"
    rf"(?:expected|shown|required|requested|stated|described|explained|above|follows|well)\b|{_SUBJECT_VERB})|"
    rf"with\s+(?:{_NAMED}|(?:(?:the|these|those|this|its|our|an?)\s+)?{_INPUT})|"
    r"in\s+(?:(?:this|that|our)\s|"
    r"(?:the\s+)?(?:given\s+)?(?:end|total|all|output|console|terminal|example|case|code|problem)\b)|"
    rf"at\s+(?:the\s+end|last|line)\b|at\s+{_NAMED}|"
    r"on\s+(?:line\b|an?\s+\w+\s+line\b|(?:the|this|that)\s+(?:console|screen|terminal|standard)\b)|"
    rf"on\s+(?:(?:the|this|that|these|those)\s+)?{_INPUT}|"
    rf"(?:for|after|from)\s+(?!(?:(?:the|this|that|its|all|any)\s+)?(?:{_FIRST}))"
    r"(?:(?:the|this|that|these|those|our|its|your|all|both|any)\s|[`'\"\[({\d-]|\w+ing\b|"
    rf"[A-Za-z_][\w.]*\(|{_NAMED}|{_INPUT}|[a-z]\b|execution\b)|"
    rf"by\s+(?:default\b|(?:execut|evaluat|call|runn|invok|apply)ing\b|the\s+(?!{_FIRST})|[A-Za-z_]\w*\()|"
    rf"where\s+(?:{_NAMED}|`)|"
    r"which\s*\Z|which\s+(?:is|was|are|would|will|equals|represents|corresponds|means|matches|indicates|contains|has|"
    rf"includes|consists|comes|gets)\b(?![^.;]*\b(?:then|later|subsequently|again)\s+{_PARTICIPLE}\b)|"
    r"an?\s+(?:\w+\s+){0,2}?(?:list|tuple|string|dict(?:ionary)?|set|integer|float|boolean|number)\b"
    r"[^\d'\"`\[{(]*(?=\.|\Z)",
    re.IGNORECASE,
)
"""Words behind a value that begin with a preposition or a relative word and leave the value as it is:
conditions of the call, the end of the run, reasons. "[1, 2] as a tuple", "4 in binary" are other values."""
SCALES = (
    r"hundreds?|thousands?|millions?|[bt]rillions?|billions?|bn|dozens?|halves|thirds|factorial|squared|cubed"
)
"""Words behind a number that make it another number."""
CHANGES = re.compile(
    rf"[\s,(]*(?:(?:{SCALES})\b|(?!{FOLLOWS.pattern})"
    r"(?:as|with|in|at|on|for|after|from|by|where|which|before|until)\b|"
    rf"(?:when\s+)?{_PARTICIPLE}\b|"
    r"[+*/^]|-\s*\d|\\(?:times|cdot|div|%))",
    re.IGNORECASE,
)
"""Beginning of words behind a value that make it another value, or the value of something else."""
CLOSES = re.compile(rf"[\W_]*(?:{_CLOSES})", re.IGNORECASE)
"""Beginning of a closing courtesy."""
QUESTION = re.compile(
    r"^\s*(?:simulate|suppose|consider|complete|write|given|what\b|you are given|which of|how many|"
    r"enclose|define|implement|a function)\b|^\s*def \w+\(",
    re.IGNORECASE | re.MULTILINE,
)
"""Beginning of a line in which a model that goes on after its answer asks itself another question."""
JOINS = (
    "of", "for", "from", "by", "given", "when", "after", "at", "in", "to", "that", "list", "string",
    "array",
    "value", "dictionary", "tuple", "code", "would", "should", "with", "returned", "reached",
    "obtained", "produced", "computed", "calculated", "de", "del", "du", "der",
    "des", "von", "da", "do", "para", "pour", "für", "от", "для", "при", "функции", "программы", "вызова",
)  # fmt: skip
"""Words that may follow the name of an answer before its verb: "the output of f(3) is"."""
ADVERBS = (
    "therefore", "thus", "then", "also", "just", "simply", "will", "would", "should", "now", "always",
    "hence", "must", "does", "ultimately", "eventually", "finally", "correctly", "directly", "indeed",
    "actually", "successfully", "is going to", "ends up", "has",
    "final", "finale", "correcte", "correcta", "correta", "donc", "entonces", "então", "also", "somit",
)  # fmt: skip
"""Words between the name of an answer or a program and its verb."""
PASSING = re.compile(
    r"\b(?:iterations?|steps?|loops?|rounds?|pass|first|second|third|next|previous|so far|current(?:ly)?|"
    r"initial(?:ly)?|intermediate|temporary|partial|now|at this point|each|inner|outer|earlier|sample)\b",
    re.IGNORECASE,
)
"""Words between the name of an answer and its value that speak of a passing state, "the result of the first
step is 5": the value is no answer."""
_NAME = r"[A-Za-z]{1,3}_?\d+"  # a3, n_0, x1: a variable, not a word
NO_TEXT = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"[-+]?[\d.,]+\s+(?:{SCALES})\b.*",
        rf"(?:{_NAME}|[a-z]\w*'s)(?:\b.*)?",
        r"(?:[A-Z]\w*|\d+)(?: [-+*/%] (?:[A-Z]\w*|\d+))+",
        r"(?=.*(?:[+*/%^$]|[\dn]\s*-\s*\d|\d\s+-?\d))(?!\d{4}-\d\d-\d\d$)[\d\s.,()+*/%^$n-]*",
        r".*[\"<>].*|.*'.*'.*",
        r"[\W_]+",
        r"(?:assert|return|def|print|raise|import|class|for|while|if|as)\b(?:\s.*)?",
        r"[A-Z]+(?:_[A-Z0-9]+){2,}|N{2,}|%\w|#\s.*|.*\byour answer\b.*|.*\banswer (?:here|goes)\b.*",
        r"(?:above|below|see|please|who knows|idk|dunno)\b.*",
        r"truncated?|uncertain|unknown|undefined(?:\s.*)?|undetermined|unchanged|"
        r"tbd|none|nil|(?:the )?same(?:\s.*)?",
        r"(?:option|choice|case)\s+\S|(?:an?|the|sorted|same|empty|new)\s+(?:\w+\s)?"
        r"(?:list|string|tuple|dict(?:ionary)?|set|array|number|integer)",
        r"'[^']*|[^']*'|\"[^\"]*|[^\"]*\"",
        r"(?:(?:no|an?|the|infinite|runtime|syntax|compil\w+|time|unknown|some)\s)?"
        r"(?:nothing|n/?a|idea|loop|recursion|error|exception|timeout|output|answer|value|result|return|limit)"
        r"\b.*",
    )
)
"""Texts between answer marks that are not taken for a string whose quotes are missing: a variable, a sentence
about one, arithmetic, text with quotes in it, a line of dashes, code, a placeholder, a reference."""
