import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { splice } from "#lib/json/splice";
import { seedFor } from "#test/seed";
import { mergeEdits } from "../envelope/merge-edits.ts";
import { readRequest } from "../envelope/read-request.ts";
import type { ArgumentChanges } from "../snapshot/toolkits.ts";
import { argumentEdits } from "./argument-edits.ts";

function read(text: string) {
  const message = readRequest([Buffer.from(text)]);
  assert.ok(message.kind === "request");
  return message;
}

const jsonTexts = (values: Record<string, unknown>) =>
  new Map(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]));

function changesOf(fixed: Record<string, unknown>, defaults: Record<string, unknown> = {}, hidden: string[] = []) {
  const set = [...jsonTexts(fixed)].map(([name, json]) => [name, { json, toolkit: "kit" }] as const);
  return { fixed: new Map(set), defaults: jsonTexts(defaults), hidden: new Set(hidden) };
}

function callWith(args: string): string {
  return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":${args}}}`;
}

/** What is sent, or why the call is refused. */
function edited(text: string, changes: ArgumentChanges): string {
  const message = read(text);
  const edits = argumentEdits(message, changes);
  return typeof edits === "string" ? edits : splice(message.source, mergeEdits(edits)).toString();
}

const names = fc.constantFrom("a", "b", "c", "d", "", "\u0000", "__proto__x", '"quoted"');
const values = fc.dictionary(names, fc.jsonValue(), { maxKeys: 5 });

describe("argument edits", () => {
  it("add fixed arguments and missing defaults, remove hidden ones, and keep all others", (t) => {
    const property = fc.property(
      fc.option(values),
      values,
      values,
      fc.subarray(["a", "b", "c", "d"]),
      (given, fixed, defaults, hidden) => {
        const params = { name: "t", ...(given && { arguments: given }) };
        const text = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
        const sent = edited(text, changesOf(fixed, defaults, hidden));
        const refused = Object.keys(fixed).find((name) => given && Object.hasOwn(given, name));
        if (refused !== undefined) return assert.equal(sent, `Argument "${refused}" is fixed by toolkit "kit"`);
        const kept = Object.entries(given ?? {}).filter(([name]) => !hidden.includes(name));
        const expected = { ...defaults, ...Object.fromEntries(kept), ...fixed };
        assert.deepEqual(JSON.parse(sent).params.arguments ?? {}, JSON.parse(JSON.stringify(expected)));
      },
    );
    fc.assert(property, { seed: seedFor(t) });
  });

  it("leave every byte of the arguments that they do not concern as it is", (t) => {
    const space = fc.constantFrom("", " ", "\n\t");
    const text = fc.oneof(
      fc.constantFrom(
        "12345678901234567890",
        "-0",
        "1E400",
        "1.0",
        '"\\u0041\\/"',
        '{"b":1,"a":[ ]}',
        '"\\ud83d\\ude00"',
      ),
      fc.json(),
    );
    const member = fc.tuple(fc.boolean(), space, text, space);
    const property = fc.property(fc.array(member, { maxLength: 6 }), values, (members, defaults) => {
      const texts = members.map(([, before, value, after], at) => `${before}"n\\u006f${at}"${after}:${before}${value}`);
      const hidden = members.flatMap(([isHidden], at) => (isHidden ? [`no${at}`] : []));
      const sent = edited(callWith(`{${texts.join(",")}}`), changesOf({ fixed: 1 }, defaults, hidden));
      let from = sent.indexOf('"fixed":1');
      for (const [at, kept] of texts.entries()) {
        if (members[at]?.[0]) continue;
        from = sent.indexOf(kept.trim(), from);
        assert.notEqual(from, -1, sent);
        from += kept.trim().length;
      }
      const args = JSON.parse(sent).params.arguments;
      assert.ok(hidden.every((name) => !Object.hasOwn(args, name)));
    });
    fc.assert(property, { seed: seedFor(t) });
  });

  it("refuse a fixed argument, also when its name is written with escapes", () => {
    const message = 'Argument "repo" is fixed by toolkit "kit"';
    assert.equal(edited(callWith('{"repo":"evil"}'), changesOf({ repo: "acme" })), message);
    assert.equal(edited(callWith('{"r\\u0065po":"evil"}'), changesOf({ repo: "acme" })), message);
  });

  it("are refused when an argument is given twice", () => {
    const message = "Invalid params: an argument is given twice";
    assert.equal(edited(callWith('{"x":1,"\\u0078":2}'), changesOf({ y: 2 })), message);
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
