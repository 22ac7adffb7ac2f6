"""A folder of documents as users have them."""

import io
import tarfile
import zipfile

FILES = {
    "a/letter.txt": b"Cats sleep. Dogs don't bark.\n\nAda Lovelace was born in London.\n",
    "b/letter.txt": b"\n\n  It rained\tin Paris.\r\nBob was there.\r\n",
    "b/letter.html": b"<html><title>T</title><p>It snowed.</p><p>Nobody came.</p></html>",
    "b/empty.txt": b"",
    "b/my letter \xfc.txt".encode("latin-1").decode("latin-1"): b"\xef\xbb\xbfSpaces are fine.",
    "c/49960": b"No suffix here.\n",
}
OTHERS = {
    "a/picture.png": b"\x89PNG\0\0",
    "a/program": b"\x7fELF\0\0\0",
    ".hidden/x.txt": b"Hidden.",
    "c/.DS_Store": b"\0\0",
}
NAMES = sorted(FILES, key=lambda name: name.split("/"))


def write(folder, files=None):
    """Write the files of a folder."""
    for name, data in (FILES | OTHERS if files is None else files).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def packed(path, files=None):
    """Write an archive, whose kind its suffix tells."""
    files = FILES | OTHERS if files is None else files
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in files.items():
                archive.writestr(name, data)
        return path
    mode = {".tar": "w", ".gz": "w:gz", ".xz": "w:xz"}[path.suffix]
    with tarfile.open(path, mode) as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return path
