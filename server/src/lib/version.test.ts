import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { VERSION } from "./version.ts";

test("the version that we tell clients, upstreams and admins is the package's", async () => {
  const manifest: unknown = JSON.parse(await readFile(new URL("../../../package.json", import.meta.url), "utf8"));
  assert.partialDeepStrictEqual(manifest, { version: VERSION });
});
