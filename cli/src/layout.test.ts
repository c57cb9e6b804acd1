import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { twoColumns, wrapCommand, wrapText } from "./layout.ts";

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

  it("continues a long command behind a backslash without breaking quoted words", () => {
    const quoted = `"${"two words ".repeat(4)}"`;
    const lines = wrapCommand(`gatehouse users create ${quoted} --machine --save-to build-bot.key`);
    assert.deepEqual(lines, [`  gatehouse users create ${quoted} \\`, "    --machine --save-to build-bot.key"]);
  });
});
