"""Valid inputs of the readers of documents, evidence, abbreviations and searches."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

__all__ = [
    "ABBREVIATION_WORDS",
    "BODY_WORDS",
    "EMAIL_WORDS",
    "EVIDENCE_WORDS",
    "OFFICE_WORDS",
    "PDF_WORDS",
    "SUBTITLE_WORDS",
    "abbreviations",
    "articles",
    "emails",
    "evidence",
    "offices",
    "pdfs",
    "subtitles",
]

EMAIL_WORDS = (
    b"Content-Type: ", b"multipart/alternative; boundary=", b"multipart/mixed", b"text/html",
    b"text/plain; charset=", b"message/rfc822\n\n", b"Content-Transfer-Encoding: base64\n",
    b"quoted-printable", b"uuencode", b'"x"', b"--x\n", b"--x--\n", b"=?utf-8?q?", b"?=",
    b"=?utf-8?b?4pi", b"Subject: ", b"Date: ", b"Content-Disposition: attachment; filename=",
    b"charset*0*=utf-8''%E2%98", b"utf-16", b"idna", b"unicode_escape", b"hex", b"rot13",
    b"punycode",
    b"begin 644 x\n", b"=E2=98=83", b"\n ", b"\n\n", b";" * 300, b"(" * 1100, b"multipart/" * 50,
    b"Received: ", b"To: a <a@b>, ", b"From: <<>>\n", b"MIME-Version: 1.0\n", b"message/partial",
)  # fmt: skip
PDF_WORDS = (
    b"obj", b"endobj", b"stream\n", b"endstream", b"xref", b"trailer", b"startxref", b"%%EOF",
    b"<<", b">>", b"/Type", b"/Page", b"/Pages", b"/Kids", b"/Parent", b"/Contents", b"/Filter",
    b"/FlateDecode", b"/LZWDecode", b"/ASCII85Decode", b"/ASCIIHexDecode", b"/RunLengthDecode",
    b"/DCTDecode", b"/Length", b"/Font", b"/Encoding", b"/ToUnicode", b"/Root", b"/Size", b"/Prev",
    b"/ObjStm", b"/XRef", b"/W [1 2 1]", b"/Index", b"/Encrypt", b"/Predictor 15", b"/Columns",
    b" 0 R", b"1 0 R", b"3 0 R", b"5 0 R", b"(", b")", b"[", b"]" , b"BT", b"ET", b"Tj", b"TJ",
    b"Tf", b"Td", b"Tm", b"' ", b"<0041>", b"beginbfchar", b"beginbfrange", b"endbfrange",
    b"<0000> <ffff> <0000>", b"null", b"true", b"/Resources", b"/XObject", b"/MediaBox", b"Do",
    b"[" * 2000, b"<<" * 2000, b"(" * 2000, b"q " * 1000, b"/Differences [0 /A 300 /B]",
)  # fmt: skip
SUBTITLE_WORDS = (
    b"WEBVTT", b"\n\n", b"00:00:01,000 --> 00:00:02,000\n", b"1\n", b" --> ", b"<v Ann>", b"<i>",
    b"- ", b"[sound]", b"{\\an8}", b"&amp;", b"NOTE ", b"<00:01.000>", b"\r",
)  # fmt: skip
OFFICE_WORDS = (
    b"<w:p>", b"</w:p>", b"<w:t>", b"</w:t>", b"<w:tc>", b"<w:tr>", b"<w:numPr/>", b"<w:br/>",
    b"<text:p>", b"<text:h>", b"<text:s/>", b"<!ENTITY a 'b'>", b"<!DOCTYPE a [", b"&a;", b"&lt;",
    b"<mc:Fallback>", b"<w:del>", b"</w:del>", b"<![CDATA[", b"]]>", b"<?xml version='1.0'?>",
    b"encoding='utf-16'", b"<a>" * 500,
)  # fmt: skip
EVIDENCE_WORDS = (b"0 ", b"1 ", b"2 ", b"1\n1 0 2\n", b"\n", b"99999999999", b"-1", b"+1")
ABBREVIATION_WORDS = (
    b"never: ", b"number: ", b"date: ", b"other: ", b"name: ", b"dates: ", b"starts: ", b"common: ",
    b"Mr. ", b"Inc.\n", b"# ", b": ", b"x: y\n",
)  # fmt: skip
BODY_WORDS = (
    b"By ", b"From: ", b"To: ", b"Subject: ", b"Date: ", b"LISBON (AP) - ", b"(Photo: ", b"* ",
    b"- ", b"1. ", b"|", b"---", b"> ", b">> ", b"Ann: ", b"[10:15] Bo: ", b"<Cy> ",
    b"4 March 2024",
    b"2024-03-04", b"\n\n", b"\t", b"    ", b"Summary\n=======\n", b"# Tea\n", b"Advertisement\n",
    b"Read more: ", b"Copyright ", b"\xe2\x80\xa2 ", b"Table 1. ", b"12.5 13.5 14.5\n",
    b"Sent from ",
)  # fmt: skip


def emails() -> list[bytes]:
    """Messages: plain, of two parts, encoded, forwarded."""
    return [
        b"From: Ann <a@b.org>\nTo: c@d.org\nSubject: =?utf-8?q?Caf=C3=A9?=\nDate: Mon, 4 Mar 2024 "
        b"09:12:00 +0000\n\nIt rained.\n> It did?\n\n-- \nAnn\n",
        b'Subject: Rain\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary="x"\n\n'
        b'--x\nContent-Type: text/plain; charset="utf-8"\nContent-Transfer-Encoding: '
        b"quoted-printable\n\nIt =E2=98=83 rained=\n.\n--x\nContent-Type: text/html; "
        b"charset=utf-8\n\n<p>It <b>rained</b>.</p>\n--x--\n",
        b"Subject: =?iso-8859-1?b?Q2Fm6Q==?=\nContent-Type: text/html; charset*=utf-8''utf-8\n"
        b"Content-Transfer-Encoding: base64\n\nPHA+SXQgcmFpbmVkLjwvcD4=\n",
        b'Content-Type: multipart/mixed; boundary=y\n\n--y\nContent-Type: message/rfc822\n\n'
        b"Subject: inner\n\nIt poured.\n--y\nContent-Type: image/png\nContent-Disposition: "
        b"attachment; filename=a.png\n\nx\n--y--\n",
    ]  # fmt: skip


def _pdf(objects: Sequence[bytes]) -> bytes:
    data, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    data += b"".join(b"%010d 00000 n \n" % place for place in places)
    data += b"trailer\n<< /Size %d /Root 1 0 R >>\n" % (len(objects) + 1)
    return data + b"startxref\n%d\n%%%%EOF\n" % start


def _stream(content: bytes, more: bytes = b"") -> bytes:
    return b"<< /Length %d %s>>\nstream\n%s\nendstream" % (len(content), more, content)


def pdfs() -> list[bytes]:
    """A page in plain text, a compressed one, and one with a map of characters."""
    text = b"BT /F1 12 Tf 72 720 Td (It rained.) Tj 0 -14 Td [(It) -300 (poured.)] TJ ET"
    shared = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources "
        b"<< /Font << /F1 5 0 R >> >> >>",
    ]
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    mapped = (
        b"<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /ToUnicode 6 0 R "
        b"/DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /W [1 [500 600]] >>] >>"
    )
    table = (
        b"/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <0000> <ffff> "
        b"endcodespacerange 1 beginbfrange <0001> <0020> <0041> endbfrange 1 beginbfchar <0030> "
        b"<00e9> endbfchar endcmap"
    )
    return [
        _pdf([*shared, _stream(text), font]),
        _pdf([*shared, _stream(zlib.compress(text), b"/Filter /FlateDecode "), font]),
        _pdf([*shared, _stream(b"BT /F1 9 Tf <000100020030> Tj ET"), mapped, _stream(table)]),
    ]


def subtitles() -> list[bytes]:
    """Subtitles of both forms."""
    return [
        b"1\n00:00:01,000 --> 00:00:02,000\nIt rained\n\n2\n00:00:09,000 --> 00:00:10,500\n- No.\n",
        b"WEBVTT\n\nNOTE x\n\na\n00:01.000 --> 00:02.000 align:start\n<v Ann><i>It</i> &amp; you\n",
    ]


def offices() -> list[bytes]:
    """The parts of word processors' files that hold the text."""
    return [
        b"<w:document xmlns:w='w'><w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>It rained.</w:t>"
        b"</w:r></w:p>"
        b"<w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc></w:tr></w:document>",
        b"<o:text xmlns:o='o' xmlns:text='t'><text:h>Rain</text:h><text:p>It<text:s/>rained"
        b"</text:p></o:text>",
    ]


def evidence() -> list[bytes]:
    """States of observed variables, in both forms."""
    return [b"2\n0 1\n2 2\n", b"1\n1 2 0\n", b"0\n", b""]


def abbreviations() -> list[bytes]:
    """Lists of abbreviations."""
    return [b"# titles\nMr. Dr.\nnumber: Fig. No.\ndate: p.m.\ndates: Monday EST\nstarts: The\n"]


def articles() -> list[bytes]:
    """Documents as people have them: news, a chat, a mail, a table, headings."""
    return [
        b"Rain in Lisbon\n\nBy Ann Hill\n4 March 2024\n\nLISBON (AP) - It rained. It poured.\n\n"
        b"(Photo: Bo)\n\nRead more: the weather\n",
        b"[10:15] Ann: Tea?\n[10:16] Bo: Yes!\n\n<Cy> me too\n",
        b"From: Ann\nTo: Bo\nSubject: Tea\n\nHi Bo,\n\n> Tea?\n\nYes.\n\n-- \nSent from my phone\n",
        b"# Tea\n\n* black\n* green\n\n| kind | price |\n| --- | --- |\n| black | 3.5 |\n\n1. Go\n",
    ]
