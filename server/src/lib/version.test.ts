import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { VERSION } from "./version.ts";

test("reports the version of the package", async () => {
  const manifest: unknown = JSON.parse(await readFile(new URL("../../../package.json", import.meta.url), "utf8"));
  assert.partialDeepStrictEqual(manifest, { version: VERSION });
});
