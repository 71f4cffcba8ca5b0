"""Model files as their tables: what is not changed stays as it was written, and what is read again is what was meant."""
import extremal as ex
import pytest
from extremal.sections import Sections, inline, strings

tomllib = pytest.importorskip("tomllib")  # of Python 3.11
own = '''name = "a # b" # a name
potential = [ "x^2", # "old"
  'y [0]' ]
notes = """
[run]
step = 9
"""

[parameters] # numbers
g = "9.81" # of the earth
"left hip.x" = 1

[[joint]]
name = "A"
[start]
joints = { A = { rate = -6, position = "a,}" }, "b.c" = 3 }
[start.velocity]
x = 1
'''


@pytest.mark.parametrize("name", ex.models())
def test_models_are_read_as_toml_reads_them(name):
    text = ex.model(name).text
    file, toml = Sections(text), tomllib.loads(text)
    assert file.text().rstrip() == text.rstrip()
    for table, value in [("", toml), *toml.items()]:
        if isinstance(value, dict):
            plain = [key for key, one in value.items() if not isinstance(one, dict) and not (isinstance(one, list) and one and isinstance(one[0], dict))]
            found = file.entries(table)
            assert set(plain) <= set(found), table
            for key in plain:
                assert tomllib.loads(f"k = {found[key]}") == {"k": value[key]}


def test_entries_are_put_taken_and_moved():
    file = Sections(own)
    assert file.text() == own and list(file.entries("")) == ["name", "potential", "notes"] and "run" not in file
    assert inline(file.entries("start")["joints"]) == {"A": '{ rate = -6, position = "a,}" }', "b.c": "3"}
    assert strings(file.entries("")["potential"]) == ['"x^2"', "'y [0]'"]
    file.free("potential")
    file.put("parameters", {"g": "1", "k": '"2"'})
    file.put("run", {"step": '"1/10"'})
    file.drop("start")
    file.add("[[body]]\nname = 'B'\n")
    found = tomllib.loads(file.text())
    assert found["parameters"] == {"k": "2", "g": 1, "left hip.x": 1} and found["run"] == {"step": "1/10"} and "start" not in found
    assert [one["formula"] for one in found["potential"]] == ["x^2", "y [0]"] and found["joint"] == [{"name": "A"}] and found["body"] == [{"name": "B"}]
    assert found["notes"] == "[run]\nstep = 9\n" and file.text().startswith('name = "a # b" # a name\nnotes') and "# numbers" in file.text()
