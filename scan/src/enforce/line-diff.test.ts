import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { removeEntries } from "./edit-config.ts";
import { type ChangedLine, diffLines } from "./line-diff.ts";

/** Applies changes as a reader would: each new line belongs before the line of the first text that it names. */
function applyLines(before: string, changes: readonly ChangedLine[]): string {
  const [removed, added] = [changes.filter(({ sign }) => sign === "-"), changes.filter(({ sign }) => sign === "+")];
  const lines = before.split("\n");
  for (const { line, text } of removed) assert.equal(lines[line - 1], text);
  const kept = [...lines, undefined].flatMap((text, at) => [
    ...added.filter(({ line }) => line === at + 1).map((change) => change.text),
    ...(text === undefined || removed.some(({ line }) => line === at + 1) ? [] : [text]),
  ]);
  return kept.join("\n");
}

function commonLines([first, ...left]: readonly string[], right: readonly string[]): number {
  if (first === undefined) return 0;
  const at = right.indexOf(first);
  const without = commonLines(left, right);
  return at === -1 ? without : Math.max(without, 1 + commonLines(left, right.slice(at + 1)));
}

describe("the changed lines of a file", () => {
  it("shows changed lines with both signs", () => {
    const text = '{"mcpServers": {\n  "good": {},\n  "evil": {}\n}}\n';
    const output = removeEntries(text, "json", [["mcpServers", "evil"]]);
    assert.deepEqual(
      diffLines(text, output).map(({ sign, line, text: shown }) => `${line}${sign}${shown}`),
      ['2-  "good": {},', '3-  "evil": {}', '4+  "good": {}'],
    );
  });

  it("shows old lines before the new lines that replace them", () => {
    const changes = diffLines("x\na\np", "y\na\nq");
    assert.deepEqual(
      changes.map(({ sign, text }) => sign + text),
      ["-x", "+y", "-p", "+q"],
    );
  });

  it("turns one text into the other with the fewest lines", () => {
    const lines = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, (old, fresh) => {
        const [before, after] = [old.join("\n"), fresh.join("\n")];
        const changes = diffLines(before, after);
        assert.equal(applyLines(before, changes), after);
        const [left, right] = [before.split("\n"), after.split("\n")];
        assert.equal(changes.length, left.length + right.length - 2 * commonLines(left, right));
      }),
      { numRuns: 300 },
    );
  });

  it("compares parts of up to 1999 lines, and shows longer ones as replaced entirely", () => {
    const changes = (length: number) => {
      const common = Array.from({ length: length - 2 }, (_, n) => n).join("\n");
      return diffLines(`a\n${common}\nb`, `c\n${common}\nd`).length;
    };
    assert.deepEqual([changes(1999), changes(2000)], [4, 4000]);
    const equal = "same\n".repeat(3000);
    const [old, fresh] = ["a\nx\nb\n", "c\nx\nd\n"];
    assert.equal(diffLines(equal + old, equal + fresh).length, 4, "equal lines at the start do not count");
    assert.equal(diffLines(old + equal, fresh + equal).length, 4, "equal lines at the end do not count");
  });
});
