import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PRELOAD = new URL("resolve-imports.mjs", import.meta.url).href;
const { imports } = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8")) as { imports: Record<string, string> };

/** One import for each pattern in package.json. The file need not exist. */
const SPECIFIERS = Object.keys(imports).map((pattern) => pattern.replace("*", "folder/file"));

function resolveAll(specifiers: readonly string[], flags: readonly string[]): readonly string[] {
  const program = `console.log(JSON.stringify(${JSON.stringify(specifiers)}.map((each) => import.meta.resolve(each))))`;
  const args = [...flags, "--input-type=module", "--eval", program];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" }));
}

describe("resolve-imports", () => {
  it("resolves imports to the same files as Node", () => {
    const specifiers = [...SPECIFIERS, "./server/src/main.ts", "./bin/gatehouse.mjs", "kysely", "node:fs"];
    assert.deepEqual(resolveAll(specifiers, [`--import=${PRELOAD}`]), resolveAll(specifiers, []));
  });
});
