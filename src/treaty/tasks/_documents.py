"""Documents of folders, globs, archives, mailboxes and tables: each keeps its name and its text."""

from __future__ import annotations

import io
import os
import re
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treaty._streams import Origin, name_of, open_file
from treaty.errors import InputError
from treaty.tasks._sources import (
    DOCUMENT_NAMES,
    TABLE_HINT,
    OnError,
    Source,
    Text,
    file_format,
    is_file,
    read_each,
    recoded,
    sentence_finder,
    sentences_in,
)
from treaty.text import Article, Sentence, read_article, read_paragraphs, recognize
from treaty.text import Format as FileFormat
from treaty.text._encodings import Recoded
from treaty.text._lines import read_bytes
from treaty.text.formats import format_named, suffix_of
from treaty.text.formats._archive import FAULTS as ZIP_FAULTS
from treaty.text.formats._archive import part_of
from treaty.text.formats._email import article_of_email
from treaty.text.formats._mbox import mails_of
from treaty.text.formats._tables import rows_of

if TYPE_CHECKING:
    from treaty.parse import LineMeaning, Tokenizer

__all__ = [
    "Documents",
    "Entry",
    "InputDocument",
    "Wanted",
    "expanded",
    "hinting",
    "is_collection",
    "is_several",
    "with_sentences",
]

ZIP = (".zip",)
TAR = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tbz2")
TABLES = (".csv", ".tsv", ".tab", ".jsonl", ".ndjson", ".json")
MBOX, CSV = (format_named(name) for name in ("mbox", "csv"))
PATTERN = re.compile(r"[*?\[]")
FAULTS = (*ZIP_FAULTS, tarfile.TarError)
MOST_BYTES = 2**28
"""Maximum size of a file in an archive, unpacked."""
ENOUGH = 1024
"""Bytes by which a file without a suffix is taken for text, or not."""
MOST_NAMED = 3
"""Number of files that are left out which a note names."""
SPACES = re.compile(r"\s+")


@dataclass(frozen=True)
class Wanted:
    """Options of a request that concern its documents.

    Parameters
    ----------
    formats
        How to read what is found in files.
    input_format
        The format that the user names.
    encoding, field, id_field
        The encoding of texts; the fields of tables that have the text and the id.
    """

    formats: Mapping[FileFormat, Any]
    input_format: Any = None
    encoding: str | None = None
    field: str | None = None
    id_field: str | None = None

    @property
    def suffixes(self) -> frozenset[str]:
        """The suffixes of the files of a folder that are read."""
        known = {suffix for one in self.formats for suffix in one.suffixes}
        tables = TABLES if self.field is not None else ()
        return frozenset({*known, *MBOX.suffixes, *tables})


@dataclass(frozen=True)
class Entry:
    """A document that was not read yet.

    Attributes
    ----------
    id
        Its name, unique in the run: its path in the folder, the archive or the table.
    source
        The file it is in.
    open
        Returns what to read it from.
    article
        Its text, if that is known already, as of the row of a table.
    """

    id: str
    source: str
    open: Callable[[], Origin] = Text
    article: Article | None = None


@dataclass(frozen=True)
class InputDocument:
    """A document that was read.

    Attributes
    ----------
    id, source
        As those of its entry.
    kind
        How it was read, such as ``"text"`` or ``"conllu"``.
    article
        Text, title, date, of a document in a text format; None for others.
    content
        The file of another format, in UTF-8.
    is_plain
        Whether it is a plain text file, whose paragraphs are read one by one.
    """

    id: str
    source: str
    kind: str
    article: Article | None = None
    content: bytes = b""
    is_plain: bool = False

    @property
    def text(self) -> str | None:
        """The text; None of a document in another format."""
        return None if self.article is None else self.article.text

    @property
    def key(self) -> str:
        """The name as a part of ``sent_id``, which has no spaces and slashes."""
        return SPACES.sub("_", self.id).replace("/", ":")

    def pieces(self) -> Iterator[tuple[int, str]]:
        """Yield the paragraphs of the text with their places in it."""
        text, start = self.text or "", 0
        for piece in read_paragraphs(Text(text)) if self.is_plain else [text]:
            yield start, piece
            start += len(piece)

    def stream(self) -> Any:
        """Return the content as a stream that has the name of the document."""
        return _named(self.content, self.id)


def is_collection(source: Source, field: str | None = None) -> bool:
    """Return whether a source may have several documents: a folder, an archive and so on."""
    if isinstance(source, Text):
        return False
    if field is not None:
        return True
    if source == "-":
        return False
    path = Path(source)
    if path.is_dir() or _has_suffix(source, (*ZIP, *TAR, *MBOX.suffixes)):
        return True
    return path.is_file() and recognize(source).format is MBOX


def is_several(sources: Sequence[Source], field: str | None = None) -> bool:
    """Return whether the results must tell documents apart."""
    return len(sources) > 1 or any(is_collection(source, field) for source in sources)


def expanded(sources: Iterable[str]) -> list[str]:
    """Replace each pattern, such as ``"corpus/*.txt"``, by the files it matches, sorted.

    What exists, and what matches nothing, stays as it is.
    """
    paths: list[str] = []
    for source in sources:
        is_pattern = len(source) < 4096 and PATTERN.search(source) and not is_file(source)
        matches = sorted(glob(source, recursive=True)) if is_pattern else []  # noqa: PTH207
        paths += matches or [source]
    return paths


def hinting(on_error: OnError) -> OnError:
    """Name the option ``--encoding`` in the errors of texts that are not UTF-8."""

    def tell(error: InputError) -> object:
        old = "convert the file with iconv or recode"
        if "not UTF-8" not in error.message:
            return on_error(error)
        new = "give its encoding, such as --encoding latin-1, or convert it with iconv or recode"
        better = InputError(error.message.replace(old, new))
        better.path, better.line, better.text = error.path, error.line, error.text
        return on_error(better)

    return tell


class Documents:
    """The documents of sources, in order, one at a time.

    Folders are read with all folders in them, sorted by name; hidden files, and files whose
    suffix is that of another kind of data, are left out. A file of no suffix is read if it is
    text. Archives, mailboxes and tables are read one document after the other.

    Parameters
    ----------
    sources
        Files, folders, archives, mailboxes, tables, texts, ``-``.
    wanted
        Formats, fields, encoding.
    on_error
        Called with the error of what cannot be read; the rest goes on.

    Attributes
    ----------
    left_out
        The files of folders and archives that were left out.
    """

    def __init__(self, sources: Iterable[Source], wanted: Wanted, on_error: OnError) -> None:
        self.sources, self.wanted = list(sources), wanted
        self.on_error = hinting(on_error)
        self.left_out: list[str] = []
        self._base = _base(self.sources)

    def __iter__(self) -> Iterator[Entry]:
        """List the documents; none of their texts is kept."""
        self.left_out, ids = [], dict[str, int]()
        for entry in read_each(self.sources, self._entries, self.on_error):
            bare = name = _one_line(entry.id)
            while name in ids:
                ids[bare] += 1
                name = f"{bare}-{ids[bare]}"
            ids[name] = 1
            yield replace(entry, id=name)

    def read(self, entries: Iterable[Entry]) -> Iterator[InputDocument]:
        """Read documents; faulty ones are reported and left out."""
        return read_each(entries, lambda entry: [self._read(entry)], self.on_error)

    def note(self) -> str | None:
        """Say which files were left out, for a note."""
        if not self.left_out:
            return None
        names = ", ".join(self.left_out[:MOST_NAMED])
        more = len(self.left_out) - MOST_NAMED
        return (
            f"left out {len(self.left_out):,} of other kinds: {names}"
            f"{f' and {more:,} more' if more > 0 else ''} (name a file to read it in any case)"
        )

    # Where documents are

    def _entries(self, source: Source) -> Iterable[Entry]:
        if isinstance(source, Text):
            number = sum(isinstance(one, Text) for one in self.sources[: self._index(source) + 1])
            return [Entry(f"text-{number}", source.name, article=Article(source.getvalue()))]
        name = self._name(source)
        if source == "-" and self.wanted.field is None:
            return [Entry("stdin", "<stdin>", lambda: "-")]
        if source != "-" and Path(source).is_dir():
            return self._of_folder(Path(source), name)
        return self._of_file(source, name)

    def _index(self, source: Source) -> int:
        return next(i for i, one in enumerate(self.sources) if one is source)

    def _name(self, source: str) -> str:
        """Return the name of a source for ids; empty if it is the only one, and has several."""
        if source == "-":
            return "" if len(self.sources) == 1 else "stdin"
        if len(self.sources) == 1:
            return "" if is_collection(source, self.wanted.field) else Path(source).name
        return Path(os.path.relpath(os.path.abspath(source), self._base)).as_posix()  # noqa: PTH100

    def _of_folder(self, folder: Path, name: str) -> Iterator[Entry]:
        is_empty = True
        for path in _files(folder, self.on_error):
            inside = _joined(name, path.relative_to(folder).as_posix())
            if not self._is_wanted(path.name, partial(open_file, path)):
                self.left_out.append(str(path))
                continue
            is_empty = False
            read = partial(self._of_file, name=inside, opens=False)
            yield from read_each([str(path)], read, self.on_error)
        if is_empty:
            known = ", ".join(sorted(self.wanted.suffixes))
            raise InputError(f"the folder has no documents: expected files {known}", path=folder)

    def _of_file(self, path: str, name: str, opens: bool = True) -> Iterable[Entry]:
        """List the documents of a file; archives in folders stay closed."""
        wanted, suffix = self.wanted, suffix_of(path)
        if opens and _has_suffix(path, ZIP):
            return self._of_zip(path, name)
        if opens and _has_suffix(path, TAR):
            return self._of_tar(path, name)
        if wanted.field is not None and (opens or suffix in TABLES):
            return self._of_table(path, name)
        if suffix in CSV.suffixes or (
            suffix == ".tsv" and "columns" not in wanted.formats.values()
        ):
            raise InputError(TABLE_HINT, path=path)
        if suffix in MBOX.suffixes or (opens and recognize(path).format is MBOX):
            return self._of_mailbox(path, name)
        return [Entry(name, path, lambda: path)]

    def _of_mailbox(self, path: str, name: str) -> Iterator[Entry]:
        for number, mail in enumerate(mails_of(path), 1):
            key = _joined(name, str(number))
            try:
                yield Entry(key, path, article=article_of_email(mail, f"{path}:{number}"))
            except InputError as error:
                self.on_error(error)

    def _of_table(self, path: str, name: str) -> Iterator[Entry]:
        wanted = self.wanted
        origin: Any = path if wanted.encoding is None else Recoded(path, wanted.encoding)
        assert wanted.field is not None
        for row in rows_of(origin, wanted.field, wanted.id_field, self.on_error):
            key = str(row.number) if row.id is None else row.id.strip()
            key = key.replace("/", "_").replace("\\", "_") or str(row.number)
            yield Entry(_joined(name, key), name_of(path), article=Article(_plain(row.text)))

    def _of_zip(self, path: str, name: str) -> Iterator[Entry]:
        with _Opened(path), zipfile.ZipFile(path) as archive:
            for info in sorted(archive.infolist(), key=lambda one: one.filename):
                if info.is_dir():
                    continue
                get = partial(
                    part_of, archive, info.filename, f"{path}/{info.filename}", MOST_BYTES
                )
                yield from self._of_member(path, name, info.filename, get)

    def _of_tar(self, path: str, name: str) -> Iterator[Entry]:
        with _Opened(path), tarfile.open(path) as archive:
            for member in archive:
                if member.isfile():
                    get = cache(partial(_member, archive, member, path))  # read once
                    yield from self._of_member(path, name, member.name, get)

    def _of_member(
        self, path: str, name: str, member: str, get: Callable[[], bytes]
    ) -> Iterator[Entry]:
        inside = "/".join(
            part for part in member.replace("\\", "/").split("/") if part not in ("", ".", "..")
        )
        if _is_hidden(inside):
            return
        if not self._is_wanted(inside, lambda: io.BytesIO(get())):
            self.left_out.append(f"{path}/{inside}")
            return
        shown = f"{path}/{inside}"
        yield Entry(_joined(name, inside), path, partial(_content, get, shown))

    def _is_wanted(self, name: str, opened: Callable[[], Any]) -> bool:
        suffix = suffix_of(name)
        if suffix or self.wanted.input_format is not None:
            is_other = _has_suffix(name, (*ZIP, *TAR))
            return suffix in self.wanted.suffixes or (
                bool(self.wanted.input_format) and not is_other
            )
        try:
            with opened() as stream:
                return b"\0" not in stream.read(ENOUGH)
        except (InputError, *FAULTS):
            return True  # the error comes when it is read

    # What they say

    def _read(self, entry: Entry) -> InputDocument:
        if entry.article is not None:
            return InputDocument(entry.id, entry.source, "text", entry.article)
        wanted = self.wanted
        origin = recoded(entry.open, wanted.encoding)
        kind, whole = file_format(origin, wanted.input_format, wanted.formats)
        if kind == "text":  # a faulty line is an error of the document
            article = Article("".join(read_paragraphs(whole)))
            return InputDocument(entry.id, entry.source, kind, article, is_plain=True)
        if kind in DOCUMENT_NAMES:
            article = read_article(whole, format=kind)
            return InputDocument(entry.id, entry.source, kind, article)
        return InputDocument(entry.id, entry.source, kind, content=read_bytes(whole))


def _base(sources: Iterable[Source]) -> str:
    """Return the folder that all sources are in."""
    paths = [os.path.abspath(one) for one in sources if isinstance(one, str) and one != "-"]  # noqa: PTH100
    return os.path.commonpath([os.path.dirname(path) for path in paths]) if paths else ""  # noqa: PTH120


def _files(folder: Path, on_error: OnError) -> Iterator[Path]:
    """List the files of a folder and of all folders in it, but hidden ones, sorted by path."""
    try:
        inside = sorted(folder.iterdir())
    except OSError as error:
        on_error(InputError(f"cannot be read: {error.strerror}", path=folder))
        return
    for path in inside:
        if _is_hidden(path.name):
            continue
        if path.is_dir() and not path.is_symlink():  # a link may lead back
            yield from _files(path, on_error)
        elif path.is_file():
            yield path


def _is_hidden(path: str) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in path.split("/"))


def _has_suffix(path: str, suffixes: Iterable[str]) -> bool:
    return path.lower().endswith(tuple(suffixes))


def _joined(*names: str) -> str:
    return "/".join(filter(None, names))


def _one_line(name: str) -> str:
    """Replace what a line of UTF-8 cannot have."""
    sound = name.encode("utf-8", "replace").decode()
    return "".join(c if c.isprintable() else "_" for c in sound).strip() or "_"


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


class _Opened:
    """Raises `InputError` for what a damaged archive raises."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, FAULTS):
            cause = getattr(error, "strerror", None) or str(error) or type(error).__name__
            raise InputError(f"cannot be read as an archive: {cause}", path=self.path) from error


def _member(archive: tarfile.TarFile, member: tarfile.TarInfo, path: str) -> bytes:
    if member.size > MOST_BYTES:
        raise InputError(f"it has more than {MOST_BYTES:,} bytes", path=f"{path}/{member.name}")
    stream = archive.extractfile(member)
    return b"" if stream is None else stream.read()


def _content(get: Callable[[], bytes], name: str) -> Any:
    try:
        return _named(get(), name)
    except FAULTS as error:
        raise InputError(f"cannot be unpacked: {error}", path=name) from error


def _named(content: bytes, name: str) -> Any:
    stream: Any = _Named(content)
    stream.name = name
    return stream


class _Named(io.BytesIO):
    """Bytes with the name of a file."""

    name = ""


def with_sentences(
    documents: Iterable[InputDocument],
    tokenizer: Tokenizer | None,
    on_error: OnError,
    longest: int = 400,
    lines: LineMeaning = "auto",
) -> Iterator[tuple[InputDocument, list[Sentence]]]:
    """Find the sentences of documents, as `read_sentences` does it for texts and files.

    Sentences that cannot be read are reported, and those of the rest of the document are there.
    """

    def read(one: InputDocument) -> list[tuple[InputDocument, list[Sentence]]]:
        if one.article is None:
            return [(one, list(sentences_in(one.kind, one.stream(), on_error)))]
        find = sentence_finder(tokenizer, longest, lines)
        return [(one, [sentence for _, piece in one.pieces() for sentence in find(piece)])]

    return read_each(documents, read, on_error)
