import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { JsonFault, type JsonFaultKind, type Scan } from "./scan.ts";
import { BodyScanner, JsonScanner, type ScannerOptions, scanJson } from "./scanner.ts";
import { watchPlan } from "./watch-plan.ts";

const NO_WATCH = { watch: watchPlan([["no", "text", "has", "this"]]) };
const ENVELOPE = { watch: watchPlan([[], ["params"], ["params", "_meta"]], { elements: 2 }) };

function scanText(text: string | Buffer, options: ScannerOptions = ENVELOPE): Scan {
  return scanJson([Buffer.from(text)], options);
}

function faultOf(text: string | Buffer, options: ScannerOptions = ENVELOPE): { kind: JsonFaultKind; offset: number } {
  try {
    scanText(text, options);
  } catch (fault) {
    assert.ok(fault instanceof JsonFault, String(fault));
    return { kind: fault.kind, offset: fault.offset };
  }
  assert.fail("accepted");
}

/** Splits `bytes` into chunks of the given lengths, repeatedly. */
function split(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  let at = 0;
  for (let turn = 0; at < bytes.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1;
    chunks.push(bytes.subarray(at, at + length));
    at += length;
  }
  return chunks;
}

function accepts(chunks: readonly Buffer[], options: ScannerOptions): boolean {
  try {
    scanJson(chunks, options);
    return true;
  } catch (fault) {
    assert.ok(fault instanceof JsonFault, String(fault));
    return false;
  }
}

/** Duplicate keys of watched objects are rejected before the rest of the text is read, so these texts are not compared. */
function assertAgrees(chunks: readonly Buffer[], isValid: boolean): void {
  try {
    scanJson(chunks, NO_WATCH);
    assert.ok(isValid);
  } catch (fault) {
    if (!(fault instanceof JsonFault)) throw fault;
    assert.ok(!isValid || fault.kind === "duplicate-key", fault.message);
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const indents = fc.constantFrom("", " ", "\t", "\r\n", "\n  ");
const values = fc.oneof({ weight: 3, arbitrary: fc.jsonValue() }, { weight: 1, arbitrary: fc.json().map(JSON.parse) });
const texts = fc.tuple(values, indents).map(([value, indent]) => JSON.stringify(value, undefined, indent));
/** Fragments that form both valid and almost valid texts. */
const pieces = fc.constantFrom(
  ...[
    '{"a":',
    "}",
    "[",
    "]",
    ",",
    ":",
    '"',
    "\\",
    "\\u",
    "00e9",
    "\\u12",
    '"x"',
    "0",
    "-",
    "-0",
    "01",
    "1.",
    ".5",
    "1.5",
  ],
  ...[
    "e",
    "E+",
    "1e400",
    "9007199254740993",
    "true",
    "tru",
    "false",
    "null",
    "nul",
    "NaN",
    " ",
    "\n",
    "\t",
    "\f",
    "\u0001",
  ],
  ...["é", "\u{1f600}", "\ud800", "\u2028", "\ufeff", "/*", "'", "__proto__", '"__proto__":1', "a".repeat(70)],
);
const chunkLengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });

describe("JsonScanner", () => {
  describe("agrees with JSON.parse", () => {
    it("on every valid text, in any chunks", () => {
      fc.assert(
        fc.property(texts, chunkLengths, (text, lengths) => {
          assert.ok(accepts(split(Buffer.from(text), lengths), NO_WATCH));
          assert.ok(accepts([Buffer.from(text)], NO_WATCH));
        }),
      );
    });

    it("on texts composed of fragments", () => {
      fc.assert(
        fc.property(fc.array(pieces, { maxLength: 8 }), chunkLengths, (parts, lengths) => {
          const bytes = Buffer.from(parts.join(""));
          const expected = parses(bytes.toString());
          assertAgrees([bytes], expected);
          assertAgrees(split(bytes, lengths), expected);
        }),
        { numRuns: 2000 },
      );
    });

    it("on valid texts with a byte changed, removed, or added", () => {
      const change = fc.record({
        at: fc.nat(),
        remove: fc.nat({ max: 1 }),
        add: fc.option(fc.constantFrom(...'{}[],:"\\0-.eEtnu \n\u0000\u001fé')),
      });
      fc.assert(
        fc.property(texts, change, chunkLengths, (text, { at, remove, add }, lengths) => {
          const place = at % (text.length + 1);
          const bytes = Buffer.from(text.slice(0, place) + (add ?? "") + text.slice(place + remove));
          const expected = parses(bytes.toString());
          assertAgrees([bytes], expected);
          assertAgrees(split(bytes, lengths), expected);
        }),
        { numRuns: 2000 },
      );
    });

    it("on every byte inside a long string, at any position", () => {
      for (let byte = 0; byte < 0x80; byte++) {
        for (const place of [0, 1, 23, 24, 25, 40, 16 * 1024 + 3]) {
          const text = `"${"a".repeat(place)}${String.fromCharCode(byte)}${"b".repeat(20)}"`;
          assert.equal(accepts([Buffer.from(text)], NO_WATCH), parses(text), `byte ${byte} at ${place}`);
        }
      }
    });

    it("on the number grammar", () => {
      const alphabet = ["0", "1", "9", "-", "+", ".", "e", "E"];
      let texts = [""];
      for (let length = 0; length < 4; length++) {
        texts = texts.flatMap((text) => alphabet.map((next) => text + next));
        for (const text of texts) {
          assert.equal(accepts([Buffer.from(text)], NO_WATCH), parses(text), text);
          assert.equal(accepts(split(Buffer.from(`[${text}]`), [1]), NO_WATCH), parses(text), text);
        }
      }
    });
  });

  it("returns the same result for one chunk and many", () => {
    const keys = fc.constantFrom("params", "_meta", "name", "id", "é", "\u{1f600}", 'q"', "__proto__", "constructor");
    const object = (value: fc.Arbitrary<unknown>) => fc.dictionary(keys, value, { noNullPrototype: false });
    const nested = object(fc.oneof(fc.jsonValue(), object(fc.oneof(fc.jsonValue(), object(fc.jsonValue())))));
    fc.assert(
      fc.property(nested, indents, chunkLengths, (value, indent, lengths) => {
        const bytes = Buffer.from(JSON.stringify(value, undefined, indent));
        assert.deepEqual(scanJson(split(bytes, lengths), ENVELOPE), scanJson([bytes], ENVELOPE));
      }),
    );
  });

  it("scans each of many bodies independently of the previous ones", () => {
    const bodies = fc.array(
      fc.tuple(
        fc.oneof(
          texts,
          fc.array(pieces).map((some) => some.join("")),
        ),
        chunkLengths,
      ),
    );
    fc.assert(
      fc.property(bodies, (several) => {
        const scanner = new BodyScanner(ENVELOPE);
        for (const [text, lengths] of several) {
          const chunks = split(Buffer.from(text), lengths);
          if (accepts(chunks, ENVELOPE)) assert.deepEqual(scanner.scan(chunks), scanJson(chunks, ENVELOPE));
          else assert.throws(() => scanner.scan(chunks), JsonFault);
        }
      }),
    );
  });

  it("reports each member of a watched object with its key, kind, and bytes", () => {
    const text = ' {"id" : 7, "params":{"n\\u0061me":"x\\"y","a":[1,{"name":2}],"_meta":{}} ,"__proto__":null}\n';
    const [top, params, meta] = scanText(text).objects;
    const slice = (range: { start: number; end: number } | undefined) => range && text.slice(range.start, range.end);
    assert.deepEqual([...(top?.members.keys() ?? [])], ["id", "params", "__proto__"]);
    assert.equal(slice(top), text.trim());
    assert.equal(slice(top?.members.get("id")), "7");
    assert.equal(top?.members.get("__proto__")?.kind, "null");
    assert.deepEqual([...(params?.members.keys() ?? [])], ["name", "a", "_meta"]);
    assert.equal(slice(params?.members.get("name")), '"x\\"y"');
    assert.equal(text[params?.members.get("name")?.keyStart ?? 0], '"');
    assert.equal(slice(params?.members.get("a")), '[1,{"name":2}]');
    assert.equal(params?.members.get("a")?.kind, "array");
    assert.equal(slice(meta), "{}");
    assert.equal(meta?.members.size, 0);
  });

  it("ignores objects at other paths", () => {
    const scan = scanText('{"a":{"params":{"x":1}},"b":[{"params":{}}],"params":[{"_meta":{}}]}');
    assert.equal(scan.objects[1], undefined);
    assert.equal(scan.objects[2], undefined);
  });

  it("counts the elements of a top-level array and reports the first ones", () => {
    const scan = scanText('[ {"a":[1,2]} , 2 ,"x",[]]');
    assert.equal(scan.elementCount, 4);
    assert.deepEqual(scan.elements, [
      { kind: "object", start: 2, end: 13 },
      { kind: "number", start: 16, end: 17 },
    ]);
  });

  describe("limits and errors", () => {
    it("rejects a duplicate key in a watched object, in any spelling", () => {
      assert.deepEqual(faultOf('{"id":1,"id":2}'), { kind: "duplicate-key", offset: 8 });
      assert.equal(faultOf('{"params":{"_meta":{"a":1,"\\u0061":2}}}').kind, "duplicate-key");
      assert.equal(faultOf('{"__proto__":1,"__proto__":2}').kind, "duplicate-key");
    });

    it("accepts duplicate keys elsewhere, because arguments are copied unchanged", () => {
      assert.ok(scanText('{"params":{"arguments":{"a":1,"a":2}}}'));
    });

    it("rejects deeper nesting than allowed, at the byte where it occurs", () => {
      const limited = { ...ENVELOPE, maxDepth: 3 };
      assert.ok(scanText("[[[1]]]", limited));
      assert.deepEqual(faultOf("[[[[1]]]]", limited), { kind: "too-deep", offset: 3 });
      assert.equal(faultOf('{"a":{"b":{"c":{}}}}', limited).kind, "too-deep");
    });

    it("rejects 100,000 levels without a stack overflow, and accepts them without a limit", () => {
      const deep = "[".repeat(100_000) + "]".repeat(100_000);
      assert.deepEqual(faultOf(deep, { ...ENVELOPE, maxDepth: 64 }), { kind: "too-deep", offset: 64 });
      assert.ok(scanText(deep));
    });

    it("rejects more keys than allowed in the whole text", () => {
      const limited = { ...ENVELOPE, maxKeys: 10_000 };
      const flood = (count: number) => JSON.stringify(Array.from({ length: count }, () => ({ a: 1 })));
      assert.ok(scanText(flood(10_000), limited));
      assert.equal(faultOf(flood(10_001), limited).kind, "too-many-keys");
    });

    it("rejects a watched object with too many members, even without a key limit", () => {
      const flood = `{${Array.from({ length: 10_001 }, (_, index) => `"k${index}":1`).join()}}`;
      assert.equal(faultOf(flood).kind, "too-many-keys");
      assert.ok(scanText(`{"result":${flood}}`));
    });

    it("rejects a byte order mark", () => {
      assert.deepEqual(faultOf("\ufeff{}"), { kind: "malformed", offset: 0 });
    });

    it("rejects an empty text", () => {
      assert.equal(faultOf("").kind, "malformed");
      assert.equal(faultOf(" \n").kind, "malformed");
    });

    it("rejects bytes that are not UTF-8, wherever the chunks end", () => {
      const broken = ["80", "c080", "c3", "c328", "e28228", "eda080", "f4908080", "f09f98", "ff", "f8a1a1a1a1", "e282"];
      for (const hex of broken) {
        const bytes = Buffer.concat([Buffer.from('"a'), Buffer.from(hex, "hex"), Buffer.from('b"')]);
        assert.equal(faultOf(bytes).kind, "not-utf8", hex);
        for (const length of [1, 2, 3, 4]) assert.equal(accepts(split(bytes, [length]), ENVELOPE), false, hex);
      }
      assert.equal(faultOf(Buffer.from([0x22, 0xc3])).kind, "not-utf8");
    });
  });

  it("reports the offset of an error in a later chunk", () => {
    const scanner = new JsonScanner(ENVELOPE);
    scanner.push(Buffer.from('{"a":tr'));
    assert.throws(() => scanner.push(Buffer.from("eu")), { kind: "malformed", offset: 7 });
  });

  it("scans a reused Buffer again", () => {
    const buffer = Buffer.from(`"${"a".repeat(60)}"`);
    assert.ok(scanJson([buffer], ENVELOPE));
    buffer[50] = 0x01;
    assert.equal(accepts([buffer], ENVELOPE), false);
  });

  it("does not modify prototypes", () => {
    scanText(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"params":{"__proto__":{"polluted":1}}}',
    );
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });
});
