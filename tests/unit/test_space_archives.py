"""Excel workbooks, Inspect logs, chat messages and gzip as sources of rows."""

import gzip
import io
import json
import struct
import zipfile
import zlib
from typing import Any

import pyarrow as pa
import pytest

from space_ui import archives
from space_ui.rows import Column
from space_ui.rows import InputError
from space_ui.rows import Limits
from space_ui.upload import Upload
from space_ui.upload import read_upload

PREDICTION, REFERENCE = Column("predictions", "Prediction"), Column("references", "Reference", "answers")
QUESTION = Column("questions", "Question", optional=True)
PAIR, TRIPLE = [PREDICTION, REFERENCE], [QUESTION, PREDICTION, REFERENCE]
SPACE = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
RELATION = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
HEAD = '<row><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>'
STRINGS = "<si><t>prediction</t></si><si><t>gold</t></si>"


def read(content: bytes, columns: list[Column] | None = None, filename: str = "") -> Upload:
    return read_upload(content, columns or PAIR, Limits(), filename)


def archive(files: dict[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as book:
        for name, content in files.items():
            book.writestr(name, content)
    return buffer.getvalue()


def workbook(sheet: str, strings: str = STRINGS, styles: str = "", properties: str = "", *, sheets: int = 1) -> bytes:
    """Write a workbook whose first sheet is in the last file."""
    listed = "".join(f'<sheet name="Tab {number}" r:id="r{number}"/>' for number in reversed(range(1, sheets + 1)))
    targets = "".join(
        f'<Relationship Id="r{number}" Target="worksheets/sheet{number}.xml"/>' for number in range(1, sheets + 1)
    )
    files: dict[str, str | bytes] = {
        "xl/workbook.xml": f"<workbook {SPACE} {RELATION}>{properties}<sheets>{listed}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f"<Relationships>{targets}</Relationships>",
        "xl/sharedStrings.xml": f"<sst {SPACE}>{strings}</sst>",
        "xl/styles.xml": f"<styleSheet {SPACE}>{styles}</styleSheet>",
    }
    for number in range(1, sheets):
        files[f"xl/worksheets/sheet{number}.xml"] = f"<worksheet {SPACE}/>"
    files[f"xl/worksheets/sheet{sheets}.xml"] = f"<worksheet {SPACE}><sheetData>{sheet}</sheetData></worksheet>"
    return archive(files)


# ---- workbooks


def test_workbook_is_read_without_phonetic_guides_and_with_runs() -> None:
    sheet = HEAD + (
        '<row><c r="A2" t="s"><v>2</v></c><c r="B2" t="inlineStr"><is><t>Par_x000D_\nis</t></is></c></row>'
        '<row><c r="A3" t="s"><v>3</v></c></row>'
    )
    strings = f"{STRINGS}<si><r><t>Par</t></r><r><t>is</t></r></si><si><t>東京</t><rPh><t>トウキョウ</t></rPh></si>"
    assert read(workbook(sheet, strings)).rows == [["Paris", "Par\nis"], ["東京", ""]], (
        "cells at the end may be left out"
    )


def test_workbook_cells_have_the_text_that_excel_shows() -> None:
    styles = (
        '<numFmts><numFmt numFmtId="164" formatCode="dddd\\, mmmm\\ d"/>'
        '<numFmt numFmtId="165" formatCode="0 &quot;days&quot;"/>'
        '</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/>'
        '<xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="22"/><xf numFmtId="20"/></cellXfs>'
    )
    cells = [
        ('<c r="A2"><v>0.30000000000000004</v></c>', "0.3"),
        ('<c r="A2" s="0"><v>42</v></c>', "42"),
        ('<c r="A2" s="1"><v>43714</v></c>', "2019-09-06"),
        ('<c r="A2" s="2"><v>43714</v></c>', "2019-09-06"),
        ('<c r="A2" s="3"><v>43714</v></c>', "43714"),
        ('<c r="A2" s="4"><v>43714.75</v></c>', "2019-09-06 18:00:00"),
        ('<c r="A2" s="5"><v>0.4375</v></c>', "10:30:00"),
        ('<c r="A2" s="1"><v>1e12</v></c>', "1000000000000"),
        ('<c r="A2" t="b"><v>1</v></c>', "TRUE"),
        ('<c r="A2" t="e"><v>#N/A</v></c>', "#N/A"),
        ('<c r="A2" t="str"><f>A1</f><v>formula</v></c>', "formula"),
    ]
    for cell, text in cells:
        sheet = f'{HEAD}<row>{cell}<c r="B2" t="inlineStr"><is><t>x</t></is></c></row>'
        assert read(workbook(sheet, styles=styles)).rows == [[text, "x"]]
        assert ("Dates are read as 2026-01-31." in read(workbook(sheet, styles=styles)).notes) is (
            any(f's="{style}"' in cell for style in (1, 2, 4, 5))
        )
    sheet = f'{HEAD}<row><c r="A2" s="1"><v>42252</v></c></row>'
    assert read(workbook(sheet, styles=styles, properties='<workbookPr date1904="1"/>')).rows == [["2019-09-06", ""]]


def test_first_sheet_is_the_first_tab_and_others_are_mentioned() -> None:
    upload = read(workbook(f'{HEAD}<row><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c></row>', sheets=2))
    assert upload.rows == [["1", "2"]]
    assert "Only the first sheet, “Tab 2”, is read." in upload.notes


@pytest.mark.parametrize(
    "content",
    [
        b"PK\x03\x04",
        workbook("<row>"),
        workbook('<row><c r="A1" t="s"><v>9</v></c></row>'),
        archive({"a.txt": "x"}),
        archive({"samples/1.json": "{"}),
    ],
    ids=["cut", "XML", "string", "other", "JSON"],
)
def test_damaged_archive_is_rejected(content: bytes) -> None:
    with pytest.raises(InputError, match="isn't a valid XLSX workbook or Inspect log"):
        read(content)


def test_archive_that_unpacks_to_too_much_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_UNPACKED", 100)
    with pytest.raises(InputError, match="too large once unpacked"):
        read(archive({"samples/1.json": " " * 101}))


# ---- Inspect logs


def sample(number: int, epoch: int = 1, **changes: Any) -> dict[str, Any]:
    output = {"completion": f"answer {number}", "model": "m"}
    return {"id": number, "epoch": epoch, "input": "?", "target": "t", "output": output, **changes}


def packed_with_zstandard(files: dict[str, bytes]) -> bytes:
    """Write an archive as Inspect does, with a compression method that Python reads from 3.14 on."""
    body, directory = b"", b""
    for name, content in files.items():
        packed = pa.compress(content, codec="zstd", asbytes=True)
        sizes = struct.pack("<III", zlib.crc32(content), len(packed), len(content))
        common = struct.pack("<HHHHH", 20, 0, 93, 0, 0) + sizes + struct.pack("<HH", len(name), 0)
        directory += b"PK\x01\x02" + struct.pack("<H", 20) + common
        directory += struct.pack("<HHHII", 0, 0, 0, 0, len(body)) + name.encode()
        body += b"PK\x03\x04" + common + name.encode() + packed
    end = struct.pack("<HHHHIIH", 0, 0, len(files), len(files), len(directory), len(body), 0)
    return body + directory + b"PK\x05\x06" + end


@pytest.mark.parametrize("pack", [archive, packed_with_zstandard])
def test_inspect_log_is_read_in_the_order_of_its_ids(pack: Any) -> None:
    samples = [sample(10), sample(2, target=["a", "b"])]
    files = {f"samples/{one['id']}_epoch_1.json": json.dumps(one).encode() for one in samples}
    content = pack({"header.json": b"{}", **files, "summaries.json": b"[]"})
    assert read(content, TRIPLE, "log.eval").rows == [["?", "answer 2", "a | b"], ["?", "answer 10", "t"]]
    if pack is packed_with_zstandard:
        with pytest.raises(InputError, match="isn't a valid"):
            read(content.replace(b"\x28\xb5\x2f\xfd", b"\x28\xb5\x2f\xfe"), TRIPLE)


def test_long_texts_and_chat_messages_of_an_inspect_log_are_resolved() -> None:
    chat = [
        {"role": "system", "content": "Be short."},
        {"role": "user", "content": [{"type": "image", "image": "x"}, {"type": "text", "text": "attachment://k"}]},
    ]
    log = {"eval": {}, "samples": [sample(1, input=chat, attachments={"k": "What is shown?"})]}
    assert read(json.dumps(log).encode(), TRIPLE).rows == [["What is shown?", "answer 1", "t"]]


def test_samples_of_several_epochs_become_clusters() -> None:
    columns = [*PAIR, Column("clusters", "Cluster", optional=True), Column("ids", "ID", optional=True)]
    log = {"eval": {}, "samples": [sample(1, 2), sample(2, 1), sample(1, 1), sample(2, 2)]}
    rows = read(json.dumps(log).encode(), columns).rows or []
    assert [row[2:] for row in rows] == [
        ["1", "1, epoch 1"],
        ["2", "2, epoch 1"],
        ["1", "1, epoch 2"],
        ["2", "2, epoch 2"],
    ]


# ---- chat messages, guesses, gzip


def test_last_message_of_a_chat_is_the_prediction() -> None:
    chat = [{"role": "user", "content": "first?"}, {"role": "assistant", "content": "last"}]
    record = {"prompt": chat, "prediction": chat, "reference": "b"}
    assert read(json.dumps(record).encode(), TRIPLE).rows == [["first?", "last", "b"]]


def test_unusable_guess_for_an_optional_column_is_left_out() -> None:
    content = json.dumps({"question": [1, {}], "prediction": "a", "reference": "b"}).encode()
    upload = read(content, TRIPLE)
    assert upload.rows == [["", "a", "b"]]
    assert "questions" not in upload.mapping
    assert upload.notes[1] == "Not used as question: Row 1, field “question” is a list of 2; one text is needed."
    with pytest.raises(InputError, match="is a list of 2"):
        read_upload(content, TRIPLE, Limits(), mapping={**upload.mapping, "questions": "question"})


def test_gzip_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = gzip.compress(b'{"prediction": "a", "reference": "b"}')
    assert read(packed, filename="a.jsonl.gz").rows == [["a", "b"]]
    for broken in (packed[:-9], b"\x1f\x8b\x00"):
        with pytest.raises(InputError, match="isn't valid gzip"):
            read(broken)
    monkeypatch.setattr("space_ui.tables.MAX_UNPACKED", 10)
    with pytest.raises(InputError, match="too large once unpacked"):
        read(packed)
