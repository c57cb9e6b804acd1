/**
 * `npm run openapi` writes the API document, its types, its constants and the guide to the settings. With `--check` it
 * only reports whether they are up to date and complete.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { exampleOf } from "../server/src/api/docs/example.ts";
import { openApiDocument } from "../server/src/api/kit/openapi.ts";
import { operations } from "../server/src/api/operations.ts";
import { constantsText, settingsGuide } from "./openapi-constants.ts";
import { typesOf } from "./openapi-types.ts";
import { undescribed } from "./openapi-words.ts";

const folder = new URL("../openapi/", import.meta.url);
const document = openApiDocument(operations);
const files = {
  "admin.openapi.json": `${JSON.stringify(document, null, 2)}\n`,
  "types.ts": typesOf(document),
  "constants.ts": constantsText(),
  "../docs/guide/settings.md": settingsGuide(),
};

mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(files)) {
  if (!process.argv.includes("--check")) {
    writeFileSync(new URL(name, folder), text);
  } else if (readCommitted(name) !== text) {
    console.error(`openapi/${name} is out of date. Run \`npm run openapi\`.`);
    process.exitCode = 1;
  }
}

if (process.argv.includes("--check")) {
  for (const place of undescribed(document)) {
    console.error(`${place}: no description. Add one to its declaration.`);
    process.exitCode = 1;
  }
  for (const operation of operations) {
    const fault = faultOfExample(operation);
    if (fault === undefined) continue;
    console.error(`${operation.id}: the example at /docs is invalid (${fault}). Add a valid example to .meta.`);
    process.exitCode = 1;
  }
}

/** The example request on the page must be valid. */
function faultOfExample({ id, body }) {
  if (!body) return undefined;
  const found = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const { schema } = found.find((each) => each.operationId === id).requestBody.content["application/json"];
  const verdict = body.safeParse(exampleOf(schema, document.components.schemas, "request"));
  return verdict.success ? undefined : verdict.error.issues.map((issue) => issue.message).join(", ");
}

function readCommitted(name) {
  try {
    return readFileSync(new URL(name, folder), "utf8");
  } catch {
    return undefined;
  }
}
