import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { it } from "node:test";
import { VERSION } from "./version.ts";

it("is the newest release in the changelog, or the changelog has unreleased changes first", async () => {
  const changelog = await readFile(new URL("../../../CHANGELOG.md", import.meta.url), "utf8");
  const [newest, ...older] = [...changelog.matchAll(/^## \[?(Unreleased|\d+\.\d+\.\d+)/gm)].map(([, name]) => name);
  assert.match(VERSION, /^\d+\.\d+\.\d+$/);
  assert.ok(newest !== undefined, "the changelog has no release heading");
  if (newest !== "Unreleased") assert.equal(newest, VERSION);
  else if (older[0] !== undefined) assert.equal(older[0], VERSION);
});
