"""What is packaged, without building it: `make wheel` builds and tries it."""

import tomllib
from pathlib import Path

import treaty
from scripts.wheels import EXPECTED, SMOKE, without_compilers

ROOT = Path(__file__).parents[2]


def project(path):
    return tomllib.loads((ROOT / path / "pyproject.toml").read_text(encoding="utf-8"))


def test_versions_agree():
    main, english = project("."), project("packages/treaty-english")
    version = main["project"]["version"]
    assert version == treaty.__version__ == english["project"]["version"]
    extra = main["project"]["optional-dependencies"]["english"]
    assert extra == [f"treaty-english=={version}"]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {version}\n" in citation
    recipe = (ROOT / "packaging" / "conda" / "recipe.yaml").read_text(encoding="utf-8")
    assert f'version: "{version}"' in recipe


def test_the_recipe_needs_what_the_package_needs():
    recipe = (ROOT / "packaging" / "conda" / "recipe.yaml").read_text(encoding="utf-8")
    for need in project(".")["project"]["dependencies"]:
        name, _, least = need.partition(">=")
        assert f"- {name} >={least}\n" in recipe


def test_the_wheel_is_tried_without_a_compiler():
    environment = without_compilers()
    assert environment["PATH"] == "/nonexistent"
    assert "CMAKE_CXX_COMPILER_LAUNCHER" not in environment


def test_the_first_parse_is_that_of_the_models_here(capsys):
    exec(SMOKE)
    assert capsys.readouterr().out.strip() == EXPECTED
