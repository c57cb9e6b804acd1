/** `npm run openapi` writes the API document; with `--check` it only says whether the committed one is up to date. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { openApiDocument } from "../server/src/api/http/openapi.ts";
import { operations } from "../server/src/api/operations.ts";

const path = new URL("../openapi/admin.openapi.json", import.meta.url);
const document = `${JSON.stringify(openApiDocument(operations), null, 2)}\n`;

if (process.argv.includes("--check")) {
  if (readCommitted() !== document) {
    console.error("openapi/admin.openapi.json is stale: run `npm run openapi` and commit it");
    process.exitCode = 1;
  }
} else {
  mkdirSync(new URL(".", path), { recursive: true });
  writeFileSync(path, document);
}

function readCommitted() {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
