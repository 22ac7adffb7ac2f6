"""What the tests of scores share."""

import pytest

from treaty.text import Sentence, Token


@pytest.fixture
def tree():
    """Make a sentence of ``form/head/label`` words; the label may be left out."""

    def tree(text, **columns):
        tokens = []
        for i, word in enumerate(text.split()):
            form, head, label = (*word.split("/"), "_", "_")[:3]
            more = {name: values.split()[i] for name, values in columns.items()}
            tokens.append(Token(form, head=-1 if head == "_" else int(head), deprel=label, **more))
        return Sentence(tokens)

    return tree
