import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { COMMANDS } from "./commands.ts";
import { resolveNoun, resolveVerb } from "./resolve-name.ts";

describe("resolveNoun", () => {
  it("finds every command by its plural and its singular", () => {
    for (const name of Object.keys(COMMANDS)) {
      assert.equal(resolveNoun(name, COMMANDS), name);
      if (/[^s]s$/.test(name)) assert.equal(resolveNoun(name.slice(0, -1), COMMANDS), name);
    }
  });

  it("returns undefined for other words", () => {
    for (const word of ["", "s", "no-such", "toString", "serve", undefined]) {
      assert.equal(resolveNoun(word, COMMANDS), undefined, word);
    }
  });
});

describe("resolveVerb", () => {
  const verbs = { "add-servers": 1, "remove-server": 1, list: 1 };
  it("finds a verb that ends in a noun by its singular and its plural", () => {
    for (const [word, verb] of [
      ["add-server", "add-servers"],
      ["add-servers", "add-servers"],
      ["remove-servers", "remove-server"],
      ["list", "list"],
      ["lists", undefined],
      ["toString", undefined],
    ] as const) {
      assert.equal(resolveVerb(word, verbs), verb, word);
    }
  });
});
