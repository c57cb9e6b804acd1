import assert from "node:assert/strict";
import { it } from "node:test";
import { parseEnv } from "node:util";
import { BadSetting } from "#lib/bad-setting";
import { assertAssignments } from "./settings-file.ts";

it("a settings file can have comments, quotes, and values with several lines", () => {
  const text = `# Settings
  # more

PORT=1
export HOST = "127.0.0.1" # here
ORG_NAME='Acme
not an assignment
'
SMTP_FROM="open
LOG_LEVEL=warn\r
EMPTY=
`;
  assert.deepEqual(Object.keys(parseEnv(text)).sort(), ["EMPTY", "HOST", "LOG_LEVEL", "ORG_NAME", "PORT", "SMTP_FROM"]);
  assertAssignments(text, "a.env");
});

it("a line that Node would ignore is reported with its number", () => {
  for (const line of ["DATA_DIR /srv/data", "DATA_DIR: /srv/data", "=x", "DATA_DIR"]) {
    const text = `PORT=1\nORG_NAME="Acme\nInc"\n${line}\n`;
    assert.deepEqual(Object.keys(parseEnv(text)).sort(), ["ORG_NAME", "PORT"]);
    assert.throws(
      () => assertAssignments(text, "a.env"),
      new BadSetting("--settings: a.env, line 4 is not NAME=value"),
    );
  }
});
