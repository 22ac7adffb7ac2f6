"""Let the shipped models refer to the other shipped models as they are now.

A model file holds the hash of each model that it needs. After training one of these again, the
models that need it are trained again, too; if they stay as they are, this renews the hashes.
"""

from __future__ import annotations

from treaty.learn import ModelFile, models, needs


def main() -> None:
    for model in models():
        file = ModelFile.read(model.path)
        named = [file.header.get("parser"), file.header.get("settings", {}).get("language_model")]
        found = [name for name in named if name is not None]
        if model.task in ("entities", "summarizer"):
            header = {**file.header, "needs": needs(*found)}
            ModelFile(file.task, header, file.tensors).write(model.path)


if __name__ == "__main__":
    main()
