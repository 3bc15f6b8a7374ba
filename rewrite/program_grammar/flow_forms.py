"""Forms of loops, exception handlers and `return`.

A `while` test is false when `go` has no fuel left or a counter has run down. A `for` loop runs over a short sequence
that its body cannot change.
"""

from __future__ import annotations

from rewrite.program_grammar.form import GrammarForm, forms

FORMS: list[GrammarForm] = [
    *forms("while", "statement", """
        while «go(§)|go(§) and {bool}|{bool} and go(§)»:
            {suite}
        {else}
    """, """
        {n=new n} = «2|3|1|0»
        while «{n}|{n} > 0|{n} != 0|not {n} <= 0|{n} > 0 and {bool}»:
            {n} -= 1
            {suite}
        {else}
    """),
    *forms("while", "typed statement", """
        while «0 < (a := go(§))|{bool} < go(§)|not (not go(§) or {bool})»:
            {suite}
        {else}
    """),
    *forms("while True", "statement", """
        while True:
            {suite plain}
            if not go(§): break
            {suite}
    """, """
        {n=new n} = 0
        while True:
            {n} += 1
            if {n} > 2:
                break
            {suite}
        {int!} = {n}
    """),
    *forms("for", "statement", """
        for «i in {short}|a in {short}|{target} in {short}|i, b in enumerate({short})|{str!} in {letters}»:
            {suite}
        {else}
    """, """
        for «(a, b) in zip({short}, it(§, 2))|b in {short}»:
            {suite}
        {else}
    """, """
        for {i=new i} in {short}:
            {int!} = {i}
            {suite}
        {else}
    """),
    *forms("short", "mixed short", "range(3)", "list({any})[:4]", "(0, 1, 'x')", "it(§, 2)", "[1, 2]", "'«ab|xy»'"),
    *forms("star", "typed statement", """
        for «a in *it(§, 2), {int}|i, *p in [it(§, 2), t(§, ({int}, 2))]»:
            {suite}
    """),
    *forms("accumulating loop", "statement", """
        r = []
        for x in «{iterable}|{iterable}|range(3)|[3, 1, 2]|(1, 0)»:
            «r.append(x)|r.insert(0, x)|r += [x]|r = r + [x]|if x: r.append(t(§, x))»
        {list!} = r
    """, """
        r = «0|1»
        for x in «{iterable}|{iterable}|range(3)|[3, 1, 2]|(1, 0)»:
            «r += x|r = r + 1|if x == a: r += 1|if x > r: r = x|r += len(str(x))»
        {int!} = r
    """, """
        r = []
        for x in «{iterable}|[3, 0, 2]»:
            if x:
                r.append(«x|t(§, x)»)
        {list!} = r
    """, """
        r = False
        for x in «{iterable}|{iterable}|range(3)|[3, 1, 2]|(1, 0)»:
            if {bool}:
                r = True
                break
        {int!} = r
    """, """
        r = ''
        for x in «{iterable}|{iterable}|range(3)|[3, 1, 2]|(1, 0)»:
            r += str(x)
        {str!} = r
    """),
    # The variable of the loop may be read behind it.
    *forms("accumulating loop", "mixed statement", """
        r = None
        for x in «{iterable}|{iterable}|range(3)|[3, 1, 2]|(1, 0)»:
            if r is None or x > r: r = x
        {int!} = r, x
    """, """
        r = 1
        for x in {iterable}:
            r *= x
        {int!} = r
    """, """
        r = «set()|dict()»
        for x in «{iterable}|{iterable}|range(3)|[3, 1, 2]|(1, 0)»:
            «r[x] = r.get(x, 0) + 1|r.add(x)»
        {int!} = r
    """),
    *forms("search loop", "statement", """
        for x in «{iterable}|{iterable}|range(3)|[3, 1, 2]|(1, 0)»:
            if «x == a|x|x < b|t(§, x)|{bool}»:
                «break|continue»
            {int!} = t(§, x)
        {else}
    """),
    *forms("search loop", "mixed statement", """
        for x in «{iterable}|{iterable}|range(3)|[3, 1, 2]|(1, 0)»:
            if «x == a|x|x != b|t(§, x)|{bool}»:
                «return x|return|return None|return x, a|return {any}|break»
        {else}
    """),
    *forms("error", "error", "ValueError", "Exception", "(KeyError, IndexError)", "t(§, ValueError)", "TypeError"),
    *forms("try", "statement", """
        try:
            {suite}
        except {error}:
            {suite}
        {else}
        {finally}
    """, """
        try:
            {suite}
        except {error} as error:
            t(§, str(error))
            {suite}
        except {error}:
            {suite}
        {else}
        {finally}
    """, """
        try:
            {suite}
        finally:
            {suite}
    """),
    *forms("try", "mixed statement", """
        try:
            {suite}
            «a = fail(a)|b = 1 // b|c = c[9]|a = int('x')»
            {suite}
        except «Exception|ValueError» as e:
            «b = repr(e)|raise KeyError('k') from e»
        {else}
        {finally}
    """, """
        try:
            «a = fail(a)|b = 1 // b|c = c[9]|a = int('x')|a = {any}»
        except «ValueError|(ValueError, TypeError)|ValueError|ZeroDivisionError|LookupError|Exception»:
            «b = 'v'|raise|pass|a = t(§, b)|return 'caught'»
        {finally}
    """, """
        try:
            {int!} = {any}
            {int!} = {any}
        except «Exception|(ValueError, TypeError)|Exception»:
            «b = 'e'|pass|return 'caught'|a = t(§, b)|a = repr(b)»
    """, """
        try:
            a = {any}
            b = {any}
        except TypeError:
            b = 't'
        except Exception:
            b = 'e'
    """),
    *forms("finally", "mixed statement", """
        try:
            «return {any}|a = {any}|fail(a)|a = c[0]|return a[0]»
        finally:
            «print('finally')|a = 0|b = t(§, a)|print(a)»
    """),
    # Each handler takes a part of an exception group, and the rest propagates.
    *forms("except star", "typed statement", """
        try:
            {suite}
            «|raise ExceptionGroup(t(§, 'g'), [ValueError(t(§, 0)), KeyError(t(§, 1))])»
        except* «ValueError|KeyError|t(§, (ValueError, KeyError))|Exception» as error:
            LOG.append(repr(error))
            {suite}
        {else}
        {finally}
    """, """
        try:
            {suite}
            raise ExceptionGroup(t(§, 'g'), [ValueError(t(§, 0)), «KeyError|TypeError»(t(§, 1))])
        except* KeyError as error:
            LOG.append(repr(error))
        except* «ValueError|t(§, (ValueError, KeyError))|Exception»:
            {suite}
        {finally}
    """),
    # The returned value is computed before `finally` runs, which may return another one.
    *forms("return", "statement", """
        def leave({parameters}):
            try:
                {suite}
                return {int}
            except ValueError:
                return {int}
            finally:
                {suite}
                «pass|return {int}»
        {target} = leave()
    """, """
        def leave({parameters}):
            with cm(§, {bool}):
                {suite}
                return {int}
            return t(§, 0)
        {target} = leave()
    """, """
        def leave({parameters}):
            while go(§):
                try:
                    {suite}
                    return {int}
                finally:
                    if {bool}: break
            return t(§, 0)
        {target} = leave()
    """),
    *forms("return", "mixed statement", "return {any}", """
        if {bool}:
            return «|None|{any}»
    """),
    *forms("return in both branches", "mixed statement", """
        if {bool}:
            return {any}
        else:
            return {any}
    """, """
        if {bool}:
            return {any}
        return {any}
    """),
]  # fmt: skip
