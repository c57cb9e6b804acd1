import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";

const PROGRAM = new URL("./check-words.mjs", import.meta.url).pathname;

/** Runs the check in a repository with these files. */
function check(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), "words-"));
  try {
    execFileSync("git", ["init", "-q"], { cwd: root });
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    execFileSync("git", ["add", "-A"], { cwd: root });
    const { status, stdout } = spawnSync(process.execPath, [PROGRAM, root], { encoding: "utf8" });
    return { status, stdout };
  } finally {
    rmSync(root, { recursive: true });
  }
}

describe("the check of phrases", () => {
  it("prints the path, the line, the phrase, and what to use instead", () => {
    const { status, stdout } = check({ "cli/src/a.ts": "const a = 1;\n// A new e-mail, sent by hand, at 15 %.\n" });
    assert.equal(status, 1);
    assert.deepEqual(stdout.trimEnd().split("\n"), [
      'cli/src/a.ts:2: "e-mail" → email',
      'cli/src/a.ts:2: "by hand" → manually',
      'cli/src/a.ts:2: "5 %" → 15% without a space',
    ]);
  });

  it("accepts plain words, emails, and the remainder operator", () => {
    const text =
      'const a = 10 % 3;\nconst b = a[0] % (a + 1);\nconst c = "nobody@example.com";\n// Left aligned, 15%.\n';
    assert.deepEqual(check({ "cli/a.ts": text }), { status: 0, stdout: "" });
  });

  it("finds the marks of an unfinished merge", () => {
    const { status, stdout } = check({ "docs/a.md": "One\n<<<<<<< HEAD\nTwo\n=======\nThree\n>>>>>>> other\n" });
    assert.equal(status, 1);
    assert.equal(stdout.match(/docs\/a\.md:[26]: /g)?.length, 2);
  });

  it("skips generated files, data, and binary files", () => {
    const files = { "openapi/types.ts": "// anew", "server/catalog/a.md": "anew", "cli/a.png": "anew" };
    assert.deepEqual(check(files), { status: 0, stdout: "" });
  });
});
