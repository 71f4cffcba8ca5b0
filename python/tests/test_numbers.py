"""Numbers of every kind, with all their digits."""
from decimal import Decimal
from fractions import Fraction

import extremal as ex
import numpy as np
import pytest
from extremal.numbers import counts, text, texts


def started(x):
    """The digits that a run in quad starts with."""
    s = ex.System("s")
    a = s.coordinates("a")
    s.kinetic(a, lambda q, v: v @ v / 2)
    return s.run("rattle", q=[x], v=[0], step=1, until=1, precision="quad").exact("a")[0]


def test_no_digit_is_lost_on_the_way():
    third = started("1/3")
    assert len(third) > 30 and started(Fraction(1, 3)) == third and started(1 / 3) != third
    assert started(Decimal("0.1")) == started("0.1") == started(0.1)
    assert text(np.float32(0.5)) == "0.5" and text(np.array(0.25)) == "0.25" and text(np.int8(3)) == "3"


def test_long_doubles():
    if np.finfo(np.longdouble).nmant < 60:
        pytest.skip("they are doubles here")
    x = np.longdouble(1) / 3
    assert np.longdouble(text(x)) == x and np.longdouble(started(x)) == x and started(x) != started(1 / 3)
    for bad in (np.longdouble("nan"), np.longdouble("inf")):
        with pytest.raises(ex.InputError, match="finite"):
            text(bad)


def test_mpmath_and_sympy():
    mpmath = pytest.importorskip("mpmath")
    sympy = pytest.importorskip("sympy")
    with mpmath.workprec(113):
        for x in (mpmath.mpf(1) / 3, -mpmath.sqrt(2) * 2**70):
            assert mpmath.mpf(started(x)) == x
    assert started(sympy.Rational(1, 3)) == started("1/3") and text(sympy.Integer(7)) == "7"
    assert abs(mpmath.mpf(started(sympy.Float("0.1", 40))) - mpmath.mpf("0.1")) < 1e-17
    for bad in (mpmath.mpf("inf"), mpmath.mpf("nan")):
        with pytest.raises(ex.InputError, match="finite"):
            text(bad)
    with pytest.raises(ex.InputError, match="found Symbol"):
        text(sympy.Symbol("x"))


@pytest.mark.parametrize("bad, words", [({1, 2}, "a set, which has no order"), (frozenset([1]), "a set"), (3, "list of numbers"), ("12", "list of numbers"),
                                        ({"x": 1}, "try start"), (np.zeros((2, 2)), "shape"), ([True], "expected a number")])
def test_what_is_no_list_of_numbers(bad, words):
    with pytest.raises(ex.InputError, match=words):
        texts(bad, "q")


def test_arrays_with_names_are_lists():
    xarray = pytest.importorskip("xarray")
    assert texts(xarray.DataArray([0.5, 1.0], dims="coordinate"), "q") == ["0.5", "1.0"]
    m = ex.model("pendulum")
    many = m.sweep("rattle", g=[1.0, 2.0], step="0.05", until=1)
    assert np.array_equal(m.run("rattle", q=many.q[0, -1], step="0.05", until=1).q[0], many.q[0, -1])


def test_counts():
    assert counts([10.0, np.int64(20), 40], "steps") == [10, 20, 40] and counts((), "steps") == []
    for bad in ([0], [1.5], [True], ["10"], 10, "10", [2**31], [float("nan")]):
        with pytest.raises(ex.InputError, match="whole number"):
            counts(bad, "steps")
