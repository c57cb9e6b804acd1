import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { describe, it } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { Output } from "./output.ts";

/** Collects what is printed to a terminal of this width, or to a pipe. */
function open(columns?: number): { out: Output; lines(): string[] } {
  const stdout = Object.assign(new PassThrough(), { isTTY: columns !== undefined, columns });
  // Only the members of a stream that Output uses.
  const stream = stdout as unknown as NodeJS.WriteStream;
  const printed = () => stripVTControlCharacters(String(stdout.read() ?? ""));
  return { out: new Output({ stdout: stream, stderr: stream }, false), lines: () => printed().trimEnd().split("\n") };
}

const ROW = { name: "echo", text: "word ".repeat(30).trim(), at: "2026-01-31T08:00:00.123Z" };
const COLUMNS = {
  NAME: (row: typeof ROW) => row.name,
  TEXT: (row: typeof ROW) => row.text,
  TIME: (row: typeof ROW) => row.at,
};

describe("a table", () => {
  it("fits the terminal, and shows times without milliseconds", () => {
    const { out, lines } = open(80);
    out.list([ROW], COLUMNS, "");
    const [head = "", row = ""] = lines();
    assert.match(head, /^NAME {2,}TEXT {2,}TIME$/);
    assert.match(row, /^echo {2,}word .*… {2}2026-01-31T08:00:00Z$/);
    assert.ok(row.length <= 80, row);
  });

  it("never truncates an ID", () => {
    const { out, lines } = open(40);
    const id = "tok_01m7hgf5mw9abcdefghjkmnpqr";
    out.list([{ ...ROW, name: id }], COLUMNS, "");
    assert.ok((lines()[1] ?? "").startsWith(`${id}  word`));
  });

  it("keeps its full width in a pipe", () => {
    const { out, lines } = open();
    out.list([ROW], COLUMNS, "");
    assert.ok((lines()[1] ?? "").length > 80);
  });

  it("prints what to do next if it is empty", () => {
    const { out, lines } = open(80);
    out.list([], COLUMNS, "No servers yet.");
    assert.deepEqual(lines(), ["No servers yet."]);
  });
});

describe("a record", () => {
  it("wraps long values on a terminal", () => {
    const { out, lines } = open(80);
    out.record(ROW);
    const printed = lines();
    assert.ok(
      printed.every((line) => line.length <= 80),
      printed.join("\n"),
    );
    assert.match(printed[2] ?? "", /^ {6}word /);
  });

  it("stays on one line in a pipe", () => {
    const { out, lines } = open();
    out.record(ROW);
    assert.equal(lines().length, 3);
  });
});
