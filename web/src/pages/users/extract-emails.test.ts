import assert from "node:assert/strict";
import { it } from "node:test";
import { extractEmails } from "./extract-emails.ts";

it("finds emails in lists, spreadsheet columns, and mail headers, each once", () => {
  assert.deepEqual(extractEmails("a@x.example, b@x.example;c@x.example\nA@x.example\td+e@y.x.example"), [
    "A@x.example",
    "b@x.example",
    "c@x.example",
    "d+e@y.x.example",
  ]);
  assert.deepEqual(extractEmails('"Ada L." <ada@x.example>, Bob (bob@x.example)'), ["ada@x.example", "bob@x.example"]);
  assert.deepEqual(extractEmails("ada lovelace, @x.example, a@b"), []);
});
