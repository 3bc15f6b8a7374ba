"""The 25 string functions of Yuan et al. (2025) that the string compositions nest, under their own names.

The 15 sources in `PAPER_FUNCTIONS` are verbatim from "Debugging Code World Models" (Appendix B.3), which composes
exactly these. The other ten are written from their published description, so their source may differ from the one in
the paper.
"""

from __future__ import annotations

PAPER_FUNCTIONS = """
def reverse_words(s):
    words = s.split()
    return ' '.join(reversed(words))

def add_suffix(s, suf):
    return s + suf

def compress_repeats(s):
    if not s:
        return s
    result = [s[0]]
    for ch in s[1:]:
        if ch != result[-1]:
            result.append(ch)
    return ''.join(result)

def alternate_case(s):
    return ''.join(ch.lower() if i % 2 == 0 else ch.upper() for i, ch in enumerate(s))

def insert_separator(s, sep):
    return sep.join(s)

def loop_concat(s, n):
    result = ""
    for _ in range(n):
        result += s
    return result

def while_rotate(s, n):
    count = 0
    while count < n and s:
        s = s[1:] + s[0]
        count += 1
    return s

def loop_filter_nonalpha(s):
    result = ""
    for ch in s:
        if ch.isalpha():
            result += ch
    return result

def add_prefix(s, pre):
    return pre + s

def rotate_str(s, n):
    if not s:
        return s
    n = n % len(s)
    return s[n:] + s[:n]

def vowel_to_number(s):
    mapping = {
        'a': '1', 'e': '2', 'i': '3', 'o': '4', 'u': '5',
        'A': '1', 'E': '2', 'I': '3', 'O': '4', 'U': '5'
    }
    return ''.join(mapping.get(ch, ch) for ch in s)

def remove_vowels(s):
    vowels = 'aeiouAEIOU'
    return ''.join(ch for ch in s if ch not in vowels)

def shift_chars(s, shift):
    def shift_char(ch):
        if 'a' <= ch <= 'z':
            return chr((ord(ch) - ord('a') + shift) % 26 + ord('a'))
        elif 'A' <= ch <= 'Z':
            return chr((ord(ch) - ord('A') + shift) % 26 + ord('A'))
        return ch

    return ''.join(shift_char(ch) for ch in s)

def backchain_add_digit(s, depth):
    def has_digit(t):
        return any(ch.isdigit() for ch in t)

    transformations = [
        lambda t: t + "1",
        lambda t: "2" + t,
        lambda t: t.replace("a", "3"),
        lambda t: t[::-1],
    ]

    def helper(t, d):
        if has_digit(t):
            return t
        if d == 0:
            return None
        for trans in transformations:
            new_t = trans(t)
            res = helper(new_t, d - 1)
            if res is not None:
                return res
        return None

    result = helper(s, depth)
    return result if result is not None else s

def repeat_str(s, n):
    return s * n
"""

RECONSTRUCTED_FUNCTIONS = """
def deterministic_shuffle(s):
    def gcd(a, b):
        while b:
            a, b = b, a % b
        return a

    L = len(s)
    if L == 0:
        return s
    multiplier = 3
    while gcd(multiplier, L) != 1:
        multiplier += 2
    return ''.join(s[(i * multiplier) % L] for i in range(L))

def sort_chars(s):
    return ''.join(sorted(s))

def interlace_str(s1, s2):
    result = []
    for i in range(max(len(s1), len(s2))):
        if i < len(s1):
            result.append(s1[i])
        if i < len(s2):
            result.append(s2[i])
    return ''.join(result)

def mirror_str(s):
    return s + s[::-1]

def duplicate_every_char(s):
    return ''.join(ch * 2 for ch in s)

def fancy_brackets(s):
    return ''.join("«" + ch + "»" for ch in s)

def recursive_reverse(s):
    if s == "":
        return s
    return recursive_reverse(s[1:]) + s[0]

def recursive_interlace(s1, s2):
    if s1 == "" or s2 == "":
        return s1 + s2
    return s1[0] + s2[0] + recursive_interlace(s1[1:], s2[1:])

def verify_even_length(s):
    return s if len(s) % 2 == 0 else s[:-1]

def backchain_palindrome(s, depth):
    transformations = [
        lambda t: t + t[0],
        lambda t: t[-1] + t,
        lambda t: t + t[::-1],
        lambda t: t[1:],
    ]

    def helper(t, d):
        if t == t[::-1]:
            return t
        if d == 0:
            return None
        for trans in transformations:
            res = helper(trans(t), d - 1)
            if res is not None:
                return res
        return None

    result = helper(s, depth)
    return result if result is not None else s
"""

# The kind of the second parameter of each function that has one, with the published ranges.
PARAMETERS = {
    "add_suffix": "letters",
    "add_prefix": "letters",
    "insert_separator": "separator",
    "loop_concat": "count",
    "repeat_str": "count",
    "while_rotate": "rotation",
    "rotate_str": "rotation",
    "shift_chars": "shift",
    "backchain_add_digit": "depth",
    "backchain_palindrome": "depth",
    "interlace_str": "letters",
    "recursive_interlace": "letters",
}
