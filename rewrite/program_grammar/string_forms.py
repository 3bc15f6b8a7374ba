"""Forms of strings: literals, f-strings, and methods with one-character and longer targets."""

from __future__ import annotations

import sys

from rewrite.program_grammar.form import GrammarForm, forms

LITERALS = (
    *(r"'it\'s'", r'"\"q\""', r"r'\d\n'", r"'\x41\u00e9\N{{DIGIT ONE}}'", r"'tab\there'", "'''two\nlines'''"),
    *('"""a "quoted" b"""', "'a' \"b\" 'c'", "('a'\n'b')", "'\\\nx'", "''", "u'x'", "'{{}}' '%s'"),
)
FIELDS = (*("{{ {int closed}«|!r|!s|=»}}", "{{ {value closed}«|!r|=»}}", "{{ {int}:>4}}", "{{ {int}:{{t(§, 3)}}}}"),)
SHAPES = ('f"%s"', "f'''%s\n'''", 'rf"%s\\d"', "'x' f\"%s\" 'y'", 'f"{{{{}}}} %s %%"', 'f"\\t%s"')
FORMS: list[GrammarForm] = [
    *forms("string literal", "str", *LITERALS, *(f"t(§, {text})" for text in LITERALS)),
    *forms("string literal", "str", "('%s-%r' % ({int}, {int}))", "'{{}}{{k}}'.format({int}, k={int})"),
    *forms("string literal", "str", "'{{0[0]}}'.format([{int}])", "'%s' % ({any closed},)", "'{{}}'.format({int})"),
    *forms("f-string", "str", 'f"{{{{}}}}{{ {str}}}"', 'f"{{ {str}!r}}-{{ {value closed}=}}"', 'f"{{ {int}}}"'),
    *forms("f-string", "str", *(f'f"{field}"' for field in FIELDS), *(shape % FIELDS[0] for shape in SHAPES)),
    *forms("f-string", "str", *(f'f"{one}{text}{two}"' for one, text, two in zip(FIELDS, "-- -", FIELDS[2:], strict=False))),
    *forms("f-string", "typed str", 'f"{{ {int}!a:>{{t(§, 5)}}}}-{{ {int}:{{t(§, 3)}}.{{t(§, 1)}}f}}"', 'f"{{o}}"', 'f"{{o:>4}}-{{ {int}=}}"', 'f"{{ {any}}}{{o:{{t(§, 3)}}}}"'),
    *forms("f-string", "mixed", "'{{}}'.format({any})", "f'{{ {any}:>3}}'", "'%s' % ({any},)"),
    *forms("string method", "int", "{str}.«find|count|index|rfind|rindex|startswith»(«'a'|'b'|','»)"),
    *forms("string method", "mixed", "{str}.find({any})", "{str}.count('a')", "{str}.isdigit()"),
    *forms("string method", "typed int", "{str}.«find|count|index|rfind|rindex|startswith»({str closed})"),
    *forms("string method", "typed int", "{str}.«find|count|index»(«'a'|','», {int})", "{str}.«find|rfind»('a', {int}, {int})"),
    *forms("string method", "bool", "«'a'|'b'|','» «in|not in» {str}", "{str closed} «in|not in» {str}"),
    *forms("string method", "bool", "{str}.isdigit()", "{str}.startswith('a')", "{str}.endswith(t(§, 'b'))"),
    # The target is closed and the new string is short: replacing must not multiply a variable by itself.
    *forms("string method", "str", "{str}.replace(«'a'|'b'|','», t(§, «'ab'|''|'a'»))"),
    *forms("string method", "typed str", "{str}.replace('a', 'b', {int})", "{str}.replace({str closed}, t(§, «'ab'|''|'a'»))"),
    *forms("string method", "str", "{str}.«upper|lower|strip|title|swapcase»()"),
    *forms("string method", "str", "{str}.«zfill(4)|lstrip('a')|strip()|lower()»", "{str}.«upper|strip»()", "{str}.strip()"),
    *forms("string method", "str", "t(§, «''|','»).join(map(str, {iterable}))", "','.join({list})", "','.join({str closed})"),
    *forms("string method", "any", "{str}.«split|partition|rsplit»(«'a'|'b'|','»)", "{str}.split({str closed})"),
    *forms("string method", "list", "{str}.split(«|','»)"),
    *forms("subscript", "str", "{str}[t(§, «0|-1|1»)]", "{str}[{int}]"),
    *forms("call", "str", "str({int})"),
]  # fmt: skip
if sys.version_info >= (3, 12):
    FORMS += forms("nested f-string", "str", 'f"{{ f"{{ {str}}}" }}"', 'f"{{ {str} +\n "\\n"}}"')
    FORMS += forms("nested f-string", "str", "f'{{ {{1: {str}}}[1]!r}}'")
