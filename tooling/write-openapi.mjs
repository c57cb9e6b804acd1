/**
 * `npm run openapi` writes the API document and its types; with `--check` it only
 * says whether they are up to date and complete.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { openApiDocument } from "../server/src/api/http/openapi.ts";
import { operations } from "../server/src/api/operations.ts";
import { typesOf } from "./openapi-types.ts";
import { undescribed } from "./openapi-words.ts";

const folder = new URL("../openapi/", import.meta.url);
const document = openApiDocument(operations);
const files = {
  "admin.openapi.json": `${JSON.stringify(document, null, 2)}\n`,
  "types.ts": typesOf(document),
};

mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(files)) {
  if (!process.argv.includes("--check")) {
    writeFileSync(new URL(name, folder), text);
  } else if (readCommitted(name) !== text) {
    console.error(`openapi/${name} is stale: run \`npm run openapi\` and commit it`);
    process.exitCode = 1;
  }
}

for (const place of process.argv.includes("--check") ? undescribed(document) : []) {
  console.error(`${place}: the API document has no description of it; give it one where it is declared`);
  process.exitCode = 1;
}

function readCommitted(name) {
  try {
    return readFileSync(new URL(name, folder), "utf8");
  } catch {
    return undefined;
  }
}
