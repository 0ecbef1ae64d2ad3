"""Tables of names and forms of secrets, each with its reason; `[tool.deskcheck.redact]` adds to them.

NAMES           names, or the part of a name after a "_", whose value is a secret
RANDOM_NAMES    names that harmless things have too; their value is a secret if it looks random
FORMS           texts that are secrets wherever they stand
"""

from __future__ import annotations

import re

NAMES = {
    r"(my|user|db|admin|root|mail)?_?pass(word|wd|phrase|code)s?(_hash)?|pwd|passw": "what a person types",
    r"(db|user|smtp|mail|admin|root|ftp|ssh|proxy)_?pass": "short for the same",
    r"passwort|kennwort|contrase(n|ñ)a|senha|mot_?de_?passe": "the same in other languages",
    r"secrets?|client_secret|shared_secret|signing_secret": "what two services share",
    r"(api|access|secret|private|signing|encryption|auth|master|ssh|account|shared|hmac|service|consumer|wifi"
    r"|license)_?keys?": "keys to services",
    r"credentials?|creds": "any proof of identity",
    r"(auth|access|refresh|bearer|session|id|csrf|api|bot|github|slack|oauth)_?tokens?": "tokens",
    r"authorization|auth_header|bearer": "the header that carries a token",
    r"session_?(id|key|cookie)|cookies?": "a session that somebody else could take over",
    r"otp|totp_(secret|seed)|mfa_code|pin_?code|cvv|cvc|(recovery|backup)_codes?": "codes of an account",
    r"security_answer|seed_phrase|mnemonic": "what proves identity where the password is lost",
    r"connection_string|conn_str|dsn|(database|db|sas|webhook)_url": "addresses that hold a password",
}
"""Capitals do not count, and "camelCase" is read as "camel_case"."""
RANDOM_NAMES = {
    r"tokens?|keys?|salt|nonce|signature|hmac|auth|jwt|sig|pat": "hold secrets if these look random",
}
"""Names that programs use for harmless things too: a lexer's token, a dictionary's key."""
_KEY = r"[A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
# At most 31 characters, and only from the first letter of a word on, so a long word is searched once.
_SCHEME = r"(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}://"
FORMS = {
    r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b": "access keys of AWS",
    r"\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_[A-Za-z0-9_]{20,}": "tokens of GitHub",
    r"\bgl(?:pat|ptt|dt|rt|sa)[-_][A-Za-z0-9_-]{16,}": "tokens of GitLab and Grafana",
    r"\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{16,}|\b(?:gsk|xai|r8)[-_][A-Za-z0-9]{20,}": "keys of model providers",
    r"\bxox[abeprs]-[A-Za-z0-9-]{10,}|hooks\.slack\.com/services/[\w/]{20,}": "tokens of Slack",
    r"\b[rsp]k_(?:live|test)_[A-Za-z0-9]{10,}|\bwhsec_[A-Za-z0-9]{20,}": "keys of Stripe",
    r"\bAIza[0-9A-Za-z_-]{30,}|\bya29\.[0-9A-Za-z_-]{20,}": "keys and tokens of Google",
    r"\bhf_[A-Za-z0-9]{20,}|\bnpm_[A-Za-z0-9]{20,}|\bpypi-[A-Za-z0-9_-]{20,}": "tokens of registries",
    r"\bdckr_pat_[\w-]{20,}|\bdop_v1_[0-9a-f]{40,}|\bdapi[0-9a-f]{32}\b|\bhvs\.[\w-]{20,}": "tokens of hosts",
    r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}|\blin_api_\w{20,}|\bntn_\w{20,}": "tokens of shops and trackers",
    r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|\bkey-[0-9a-f]{32}\b": "keys of SendGrid and Mailgun",
    r"\b\d{8,10}:[A-Za-z0-9_-]{35}\b": "tokens of Telegram's bots",
    r"\beyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]+){0,2}": "JSON web tokens, and JSON in base64",
    r"\bSK[0-9a-f]{32}\b|\b[0-9a-f]{32}-us\d{1,2}\b"
    r"|\bsq0[a-z]{3}-[\w-]{20,}": "keys of Twilio, Mailchimp, Square",
    r"\b[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,38}\b|\boauth:[a-z0-9]{30}\b": "tokens of Discord and Twitch",
    r"\bGOCSPX-[\w-]{20,}|\b1//0[\w-]{30,}"
    r"|\bEAA[A-Za-z0-9]{40,}": "secrets and tokens of Google and Facebook",
    r"\bsecret_[A-Za-z0-9]{40,}|\bpat[A-Za-z0-9]{14}\.[0-9a-f]{64}\b": "tokens of Notion and Airtable",
    r"\bdp\.(?:pt|st|ct|sa)\.\w{40,}|\bHRKU-[\w-]{20,}"
    r"|\bsbp_[0-9a-f]{40}": "tokens of Doppler, Heroku, Supabase",
    r"\bNRAK-[A-Z0-9]{20,}|\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}"
    r"|\bpplx-\w{40,}": "keys of monitors and model providers",
    r"\btskey-[a-z]{1,20}-[\w-]{20,}|\bfm[12]_[\w/+=-]{40,}"
    r"|\bAGE-SECRET-KEY-1[A-Z0-9]{50,}": "keys of networks, hosts, age",
    r"(?i)\bcookie:\s{0,3}[\w.-]{1,40}=(?P<secret>[^\s;,\"']{12,400})": "a session in a header",
    r"\bcurl\b[^\n]{0,80}?"
    r"\s(?:-u|--user)\s{0,3}[\"']?[^\s:\"']{1,60}:(?P<secret>[^\s\"']{4,200})": "a typed login",
    r"(?i)\b(?:password|passphrase|passcode|passwd|api[ _-]?key)\s(?:is|was)\s[\"']?"
    r"(?P<secret>(?=[^\s\"',;]{0,200}\d)[^\s\"',;]{6,200})": "a sentence that tells it",
    rf"-----BEGIN {_KEY}[\s\S]{{0,20000}}?(?:-----END {_KEY}|$)": "private keys",
    r"(?i)\b(?:bearer|(?:basic|token)(?!\s+(?-i:[A-Za-z][a-z]*(?:-[a-z]+)?)[.,]?(?![\w.~+/=-])))\s+"
    r"(?P<secret>[A-Za-z0-9._~+/=-]{12,})": "headers with a token; a word behind the others is prose",
    rf"{_SCHEME}[^\s:/@]{{0,200}}:(?P<secret>[^\s@/]{{3,300}})@": "addresses with a password",
    rf"{_SCHEME}(?P<secret>[A-Za-z0-9_-]{{16,300}})@": "addresses with a token",
}  # fmt: skip
"""Form of a secret -> what has this form. Where a form has a group `secret`, only that group is hidden."""
NOTHING = frozenset(
    """none null true false str string bytes text password passwd passphrase secret token key value required
    optional redacted example""".split()
)
"""Values that are placeholders, not secrets."""
STARTS = (
    r"gh[pousr]_|github_pat|glpat|sk[-_]|xox[a-z]|AKIA|ASIA|AIza|ya29|hf_|npm_|pypi-|SG\.|eyJ|PRIVATE KEY|://"
    r"|GOCSPX|1//0|EAA|secret_|HRKU|sbp_|NRAK|PMAK|pplx|tskey|AGE-SECRET|sq0|(?i:bearer|basic) "
)
"""Beginnings of forms: a source with one of them is searched for secrets made of several literals."""
_ALL = [f"(?i:{form.removeprefix('(?i)')})".replace("?P<secret>", "?:") for form in FORMS]
SIGNS = re.compile("|".join([f"(?i:{'|'.join([*NAMES, *RANDOM_NAMES])})", STARTS, *_ALL]))
"""Pattern of all names and forms of these tables: a run in which nothing matches it needs no redaction."""
