import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fitWidths, twoColumns, wrapCommand, wrapText } from "./layout.ts";

describe("the layout of tables", () => {
  it("narrows the widest columns until the table fits", () => {
    assert.deepEqual(fitWidths([10, 40, 60], [4, 4, 4], 80), [10, 33, 33]);
    assert.deepEqual(fitWidths([10, 20, 30], [4, 4, 4], 80), [10, 20, 30]);
  });

  it("makes no column narrower than its minimum or 8 characters", () => {
    assert.deepEqual(fitWidths([30, 30], [12, 4], 10), [12, 8]);
  });
});

describe("the layout of help", () => {
  it("wraps text at spaces and keeps a longer word", () => {
    assert.deepEqual(wrapText("aa bb cc", 5), ["aa bb", "cc"]);
    assert.deepEqual(wrapText("aaaaaaa b", 5), ["aaaaaaa", "b"]);
  });

  it("aligns descriptions and starts that of a long name on the next line", () => {
    const long = "--an-option-with-a-very-long-name";
    const rows = [
      ["-a", "first"],
      ["--bb", "second"],
      [long, "third"],
    ] as const;
    assert.deepEqual(twoColumns(rows), ["  -a    first", "  --bb  second", `  ${long}`, "        third"]);
  });

  it("breaks a long command with a backslash, but not inside quoted words", () => {
    const quoted = `"${"two words ".repeat(4)}"`;
    const lines = wrapCommand(`gatehouse users create ${quoted} --machine --save-to build-bot.key`);
    assert.deepEqual(lines, [`  gatehouse users create ${quoted} \\`, "    --machine --save-to build-bot.key"]);
  });
});
