import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { splice } from "#lib/json/splice";
import { seedFor } from "#test/seed";
import { readRequest } from "../envelope/read-request.ts";
import { argumentEdits } from "./argument-edits.ts";
import { mergeEdits } from "./merge-edits.ts";

function read(text: string) {
  const message = readRequest([Buffer.from(text)]);
  assert.ok(message.kind === "request");
  return message;
}

const jsonTexts = (values: Record<string, unknown>) =>
  new Map(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]));

describe("argument edits", () => {
  it("set fixed arguments and missing defaults, and keep all others", (t) => {
    const name = fc.constantFrom("a", "b", "c", "d", "", "\u0000", "__proto__x");
    const args = fc.dictionary(name, fc.jsonValue(), { maxKeys: 5 });
    const property = fc.property(fc.option(args), args, args, (given, fixed, defaults) => {
      const params = { name: "t", ...(given && { arguments: given }) };
      const message = read(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
      const edits = argumentEdits(message, { fixed: jsonTexts(fixed), defaults: jsonTexts(defaults) });
      assert.ok(edits);
      const sent = JSON.parse(splice(message.source, mergeEdits(edits)).toString());
      const expected = { ...defaults, ...given, ...fixed };
      assert.deepEqual(sent.params.arguments ?? {}, JSON.parse(JSON.stringify(expected)));
    });
    fc.assert(property, { seed: seedFor(t) });
  });

  it("leave the bytes of other arguments as they are", () => {
    const text =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{ "n" : 12345678901234567890 , "x":1}}}';
    const message = read(text);
    const edits = argumentEdits(message, { fixed: new Map([["x", "2"]]), defaults: new Map() });
    assert.equal(splice(message.source, edits ?? []).toString(), text.replace('"x":1', '"x":2'));
  });

  it("are refused when an argument is given twice", () => {
    const message = read(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"x":1,"x":2}}}',
    );
    assert.equal(argumentEdits(message, { fixed: new Map([["y", "2"]]), defaults: new Map() }), undefined);
  });
});

describe("mergeEdits", () => {
  it("sorts, and lets the first of two overlapping edits decide the text", () => {
    const edits = [
      { start: 4, end: 8, text: "first" },
      { start: 6, end: 9, text: "second" },
      { start: 0, end: 2, text: "other" },
    ];
    assert.deepEqual(mergeEdits(edits), [
      { start: 0, end: 2, text: "other" },
      { start: 4, end: 9, text: "first" },
    ]);
    assert.deepEqual(mergeEdits([edits[1], edits[0]].flatMap((edit) => edit ?? [])), [
      { start: 4, end: 9, text: "second" },
    ]);
  });
});
