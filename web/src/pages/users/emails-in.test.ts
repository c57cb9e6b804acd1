import assert from "node:assert/strict";
import { it } from "node:test";
import { emailsIn } from "./emails-in.ts";

it("addresses are found in lists, columns and as mail programs write them, each once", () => {
  assert.deepEqual(emailsIn("a@x.example, b@x.example;c@x.example\nA@x.example\td+e@y.x.example"), [
    "A@x.example",
    "b@x.example",
    "c@x.example",
    "d+e@y.x.example",
  ]);
  assert.deepEqual(emailsIn('"Ada L." <ada@x.example>, Bob (bob@x.example)'), ["ada@x.example", "bob@x.example"]);
  assert.deepEqual(emailsIn("ada lovelace, @x.example, a@b"), []);
});
