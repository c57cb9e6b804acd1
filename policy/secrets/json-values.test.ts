import assert from "node:assert/strict";
import { it } from "node:test";
import { redactJsonValues } from "./json-values.ts";

it("removes values of variables in JSON inside of strings of JSON", () => {
  let json = JSON.stringify({ env: { PLAIN: "canary" } });
  for (let depth = 1; depth <= 6; depth++) {
    assert.doesNotMatch(redactJsonValues(json), /canary/, `depth ${depth}`);
    json = JSON.stringify({ x: json });
  }
});

it("takes linear time for backslashes (decision 0082)", () => {
  const backslashes = "\\".repeat(1_000_000);
  assert.equal(redactJsonValues(backslashes), backslashes);
  assert.equal(redactJsonValues(`{"token":{${backslashes}`), `{"token":{${backslashes}`);
});
