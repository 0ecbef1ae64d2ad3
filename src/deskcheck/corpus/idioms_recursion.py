"""Templates of recursive functions of the family `idioms`: the function, a call of it, the kind of its result."""

from __future__ import annotations

RECURSIVE: tuple[tuple[str, str, str], ...] = (
    ("def $.f($lI.n):\n    if $.n <= `0~1`:\n        return $i\n    return $.f($.n - `1~2~1`) `+~+~-` `$.n~$k~$.n % $k~$.n * $k`", "$.f($k + $r)", "I"),
    ("def $.f($lI.n):\n    if $.n < $k:\n        return `$.n~1~$i`\n    return $.f($.n // `2~3~$k`) `+ 1~+ $.n % $k~* 2~+ $.n`", "$.f(abs($I) % $h)", "I"),
    ("def $.f($lI.n, $lI.k=$k):\n    if $.n `<= 0~< $.k`:\n        return `'`0~1~e`'~str($.n)`\n    return $.f($.n // `2~3~$.k`) + str($.n % `2~3~$k`)".replace("'`0~1~e`'", "'0'"), "$.f(abs($I) % 60 + $k)", "S"),
    ("def $.f($lL.x):\n    if `not $.x~len($.x) == 0`:\n        return $i\n    if `$.x[0] > $k~$.x[0] % 2~$.x[0] < $h`:\n        return `$.x[0]~1~$k` + $.f($.x[1:])\n    return $.f($.x[1:])`~ - 1`", "$.f($vL[:6])", "I"),
    ("def $.f($lS.s):\n    if `not $.s~len($.s) < 2`:\n        return $.s\n    if $.s[0] `== $.s[-1]~in 'aeiou'~> $.s[-1]`:\n        return `$.f($.s[1:])~$.s[0].upper() + $.f($.s[1:])`\n    return `$.f($.s[1:]) + $.s[0]~$.s[0] + $.f($.s[1:])~$.f($.s[1:])~$.s[-1] + $.f($.s[:-1])`", "$.f($vS[:7])", "S"),
    ("def $.f($lA.t):\n    $lI.r = $r\n    for $lI.x in $.t:\n        if isinstance($.x, list):\n            $.r += $.f($.x)`~ * 2~ + 1`\n        `else:~elif $.x % 2:~elif $.x > $k:`\n            $.r `+=~+=~-=` `$.x~1~$.x * $k`\n    return $.r", "$.f($sA)", "I"),
    ("def $.f($lA.t, $lI.d=`0~1`):\n    $lL.r = []\n    for $lI.x in $.t:\n        if `isinstance($.x, list)~type($.x) is list`:\n            $.r.extend($.f($.x, $.d + 1))\n        else:\n            $.r.append($.x `* $.d~+ $.d~`)\n    return $.r", "$.f($sA)", "L"),
    ("def $.f($lJ.t):\n    if `$.t is None~not $.t`:\n        return `0~0~1`\n    $lI.a = $.f($.t['left'])\n    $lI.b = $.f($.t['right'])\n    return `$.a + $.b + $.t['val']~max($.a, $.b) + 1~$.a + $.b + 1~max($.a, $.b) + $.t['val']~$.a - $.b + $.t['val']`", "$.f($sJ)", "I"),
    ("def $.f($lJ.t, $lL.r):\n    if $.t:\n        `$.r.append($.t['val'])\n        ~`$.f($.t['left'], $.r)\n        $.r.append($.t['val']`~ * $k~ % $k`)\n        $.f($.t['right'], $.r)\n    return $.r", "$.f($sJ, [])", "L"),
    ("def $.f($lI.n, $lK.m):\n    if $.n in $.m:\n        return $.m[$.n]\n    if $.n < `2~3`:\n        return `$.n~1~$r`\n    $.m[$.n] = $.f($.n - 1, $.m) + `$.f($.n - 2, $.m)~$.f($.n // 2, $.m)~$.n * $r`\n    return $.m[$.n]", "$.f($k + $r, {})", "I"),
    ("@lru_cache(None)\ndef $.f($lI.n):\n    if $.n `< 2~<= 2`:\n        return $r\n    return $.f($.n - 1) + $.f($.n - 2)`~ + $.n~ % $k`", "$.f($k)", "I"),
    ("def $.f($lI.a, $lI.b):\n    if $.b == 0:\n        return `$.a~abs($.a)`\n    return $.f(`$.b, $.a % $.b~$.a + $.b % 2, $.b - 1~$.a * $k % $h, $.b - 1`)", "$.f($I, $k)", "I"),
    ("def $.f($lL.x, $lI.i, $lI.t):\n    if $.t == 0:\n        return True\n    if $.i >= len($.x) or $.t < 0:\n        return False\n    return $.f($.x, $.i + 1, $.t - $.x[$.i]) or $.f($.x, $.i + 1, $.t)", "$.f($vL[:4], 0, $i)", "B"),
    ("def $.f($lL.x, $lI.a, $lI.b):\n    if $.a >= $.b:\n        return $.x[$.a] if $.a < len($.x) else $i\n    $lI.m = ($.a + $.b) // 2\n    return `max~min`($.f($.x, $.a, $.m), $.f($.x, $.m + 1, $.b))`~ + 1~ - $r`", "$.f($vL[:6], 0, len($vL[:6]) - 1)", "I"),
    ("def $.f($lS.s, $lI.n, $lW.r):\n    if len($.s) == $.n:\n        $.r.append($.s)\n        return $.r\n    for $lC.c in '`ab~01~xy`':\n        if `not $.s.endswith($.c)~$.s.count($.c) < $k~$.s[-1:] <= $.c`:\n            $.f($.s + $.c, $.n, $.r)\n    return $.r", "$.f('', `2~3`, [])", "W"),
    ("def $.f($lI.n):\n    if $.n == 0:\n        return []\n    return `[$.n % $k] + $.f($.n // $k)~$.f($.n // $k) + [$.n % $k]~[$.n] + $.f($.n // $k)~$.f($.n // $k) + [$.n]`", "$.f(abs($I))", "L"),
    ("def $.f($lI.n):\n    if $.n <= 0:\n        return `True~0 == $.n`\n    return `not $.f($.n - $k)~$.f($.n - $k) and $.n % $k != $r~$.f($.n - $k) or $.n % $k == $r`", "$.f($I % $h)", "B"),
    ("def $.f($lL.x):\n    if len($.x) <= 1:\n        return $.x\n    $lI.p = $.x[`0~-1~len($.x) // 2`]\n    $lL.a = [v for v in $.x if v `<~>` $.p]\n    $lL.b = [v for v in $.x if v == $.p]\n    return $.f($.a) + $.b`~[:1]`", "$.f($vL[:7])", "L"),
    ("def $.f($lI.n, $lS.a, $lS.b, $lS.c):\n    if $.n == 0:\n        return $r\n    return $.f($.n - 1, $.a, $.c, $.b) + `1~$k~len($.b)` + $.f($.n - 1, $.c, $.b, $.a)", "$.f(`2~3`, $w, $w, $w)", "I"),
    ("def $.f($lM.g, $lS.n, $lZ.s):\n    if $.n in $.s:\n        return 0\n    $.s.add($.n)\n    $lI.t = `1~len($.n)`\n    for $lS.x in $.g.get($.n, []):\n        $.t += $.f($.g, $.x, $.s)`~ * 2`\n    return $.t", "$.f({'a': ['b', 'c'], 'b': ['`a~d~c`'], 'c': ['`d~a~e`']}, '`a~b~c`', set())", "I"),
)  # fmt: skip
