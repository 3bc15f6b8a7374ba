"""Each declared inverse undoes its operation, and each negation has the opposite result."""

from collections.abc import Callable
from operator import neg

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyze.operations.catalogue import OPERATIONS, candidates
from analyze.operations.operation import Form, Operation

TEXT, INTS = st.text(st.sampled_from("ab, é"), max_size=8), st.integers(-(2**40), 2**40)
ITEMS = st.sets(st.integers(0, 5))
LAWS: dict[str, tuple[st.SearchStrategy[object], Callable[..., bool]]] = {
    "split": (TEXT, lambda text: ",".join(text.split(",")) == text),
    "rsplit": (TEXT, lambda text: ",".join(text.rsplit(",", 1)) == text),
    "partition": (TEXT, lambda text: "".join(text.partition(",")) == text),
    "rpartition": (TEXT, lambda text: "".join(text.rpartition(",")) == text),
    "join": (st.lists(st.sampled_from(["a", "", "bc"]), min_size=1), lambda parts: ",".join(parts).split(",") == parts),
    "encode": (TEXT, lambda text: text.encode().decode() == text),
    "decode": (TEXT.map(str.encode), lambda data: data.decode().encode() == data),
    "hex": (st.binary() | INTS | st.floats(allow_nan=False), lambda value: undo_hex(value) == value),
    "fromhex": (st.binary(), lambda data: bytes.fromhex(data.hex()).hex() == data.hex()),
    "bin": (INTS, lambda number: int(bin(number), 2) == number),
    "oct": (INTS, lambda number: int(oct(number), 8) == number),
    "ord": (st.characters(), lambda character: chr(ord(character)) == character),
    "chr": (st.integers(0, 0x10FFFF), lambda code: ord(chr(code)) == code),
    "to_bytes": (INTS, lambda number: int.from_bytes(number.to_bytes(8, signed=True), signed=True) == number),
    "from_bytes": (st.binary(min_size=1), lambda data: int.from_bytes(data).to_bytes(len(data)) == data),
    "reverse": (st.lists(INTS), lambda items: twice_reversed(items) == items),
    "symmetric_difference": (ITEMS, lambda items: items.symmetric_difference({1}).symmetric_difference({1}) == items),
    "symmetric_difference_update": (ITEMS, lambda items: items ^ {1} ^ {1} == items),
    "conjugate": (st.complex_numbers(allow_nan=False), lambda number: number.conjugate().conjugate() == number),
    "Add": (INTS, lambda number: number + 7 - 7 == number),
    "Sub": (INTS, lambda number: number - 7 + 7 == number),
    "USub": (INTS, lambda number: neg(neg(number)) == number),
    "Invert": (INTS, lambda number: ~~number == number),
    "BitXor": (INTS, lambda number: number ^ 9 ^ 9 == number),
}


def undo_hex(value: object) -> object:
    if isinstance(value, int):
        return int(hex(value), 16)
    return type(value).fromhex(value.hex())  # type: ignore[attr-defined]


def twice_reversed(items: list[int]) -> list[int]:
    copy = items.copy()
    copy.reverse()
    copy.reverse()
    return copy


def test_every_declared_inverse_has_a_law_and_is_an_operation() -> None:
    declared = [one for one in OPERATIONS if one.inverse]
    assert {one.name for one in declared} == {*LAWS}
    assert all(candidates(one.inverse) for one in declared)


def test_the_methods_of_one_name_have_one_inverse() -> None:
    undone = {one.name: one.inverse for one in OPERATIONS if one.inverse and one.form is Form.METHOD}
    others = [
        str(one) for one in OPERATIONS if one.form is Form.METHOD and undone.get(one.name) not in (None, one.inverse)
    ]
    assert others == ["int.conjugate", "float.conjugate"]  # which change nothing


@pytest.mark.parametrize("name", LAWS)
@given(data=st.data())
def test_the_inverse_undoes_the_operation(name: str, data: st.DataObject) -> None:
    drawn, law = LAWS[name]
    assert law(data.draw(drawn))


NEGATED = [one for one in OPERATIONS if one.negation]


@pytest.mark.parametrize("one", NEGATED, ids=str)
@given(left=st.sampled_from([1, 2]), right=st.sampled_from([1, 2]))
def test_a_negation_has_the_opposite_result(one: Operation, left: int, right: int) -> None:
    opposite = candidates(one.negation)[0]
    assert opposite.negation == one.name
    names = {"left": left, "right": [right] if one.name in ("In", "NotIn") else right}
    results = [eval(f"left {symbol} right", names) for symbol in (one.symbol, opposite.symbol)]
    assert sorted(results) == [False, True]
