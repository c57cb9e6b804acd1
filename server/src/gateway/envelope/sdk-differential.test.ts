/** Compares the request parser with the official SDK's (GW-7). Every intended difference is listed here. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseJSONRPCMessage } from "@modelcontextprotocol/server";
import fc from "fast-check";
import { seedFor } from "#test/seed";
import { META_PROTOCOL_VERSION } from "./meta-keys.ts";
import { type ParsedRequest, readRequest } from "./read-request.ts";

type Sdk = { readonly accepted: Readonly<Record<string, unknown>> } | "refused";

function parseWithSdk(body: Buffer): Sdk {
  try {
    return { accepted: { ...parseJSONRPCMessage(JSON.parse(body.toString("utf8"))) } };
  } catch {
    return "refused";
  }
}

/** Accepted by the gateway, rejected by the SDK. */
const WIDER: Record<string, (message: Readonly<Record<string, unknown>>) => boolean> = {
  "drops members unknown to JSON-RPC instead of rejecting them": (message) =>
    Object.keys(message).some((key) => !["jsonrpc", "id", "method", "params", "result", "error"].includes(key)),
  "accepts any number as an id, because it is only echoed (GW-3)": ({ id }) => isOddNumber(id),
  "accepts any number as a progress token, because it is only echoed": ({ params }) =>
    isOddNumber(membersOf(membersOf(params)._meta).progressToken),
  "leaves the validation of a caller's result to the upstream": ({ method }) => method === undefined,
};

/** Rejected by the gateway, accepted by the SDK, with the gateway's error message. */
const NARROWER: Record<string, RegExp> = {
  "rejects duplicate members, which parsers interpret differently": /^Invalid Request: duplicate member$/,
  "rejects members that another parser could read as a known one": /^Invalid Request: unexpected member /,
  "rejects an error without an id": /^Invalid Request: method is missing$/,
  "rejects text nested too deeply (GW-6)": /^Invalid Request: nested deeper than 64 levels$/,
  "rejects text with too many keys (GW-6)": /^Invalid Request: more than 10000 keys$/,
  "rejects bytes that are not UTF-8": /^Parse error: invalid JSON$/,
};

function isOddNumber(value: unknown): boolean {
  return typeof value === "number" && !Number.isSafeInteger(value);
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/**
 * Parses with both and returns the name of the difference, or undefined if they agree. Fails on an unlisted difference.
 */
function compare(body: Buffer): string | undefined {
  const ours = readRequest(body);
  const sdk = parseWithSdk(body);
  // Batches are split before their elements are parsed.
  if (ours.kind === "batch") return undefined;
  if (ours.kind === "invalid") {
    if (sdk === "refused") return undefined;
    return requireListed(body, Object.entries(NARROWER).find(([, pattern]) => pattern.test(ours.message))?.[0]);
  }
  const message = membersOf(JSON.parse(body.toString("utf8")));
  if (sdk === "refused")
    return requireListed(body, Object.entries(WIDER).find(([, explains]) => explains(message))?.[0]);
  assert.deepEqual(withoutProto(meaningOf(ours)), withoutProto(meaningOf(sdk.accepted)), body.toString());
  return undefined;
}

/** The gateway treats `__proto__` as an ordinary key (GW-6); the SDK drops it. */
function withoutProto(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutProto);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([key]) => key !== "__proto__");
  return Object.fromEntries(members.map(([key, inner]) => [key, withoutProto(inner)]));
}

function requireListed(body: Buffer, difference: string | undefined): string {
  return difference ?? assert.fail(`the SDK reads this differently: ${JSON.stringify(body.toString())}`);
}

/** Kind, method, id, and params. The gateway's message holds positions in the text, the SDK's holds values. */
function meaningOf(message: Exclude<ParsedRequest, { kind: "batch" | "invalid" }> | Readonly<Record<string, unknown>>) {
  if (!("source" in message)) {
    const { method, id, params, result, error } = message as Readonly<Record<string, unknown>>;
    return { method, id, params, answer: result ?? error };
  }
  const ours = message as Exclude<ParsedRequest, { kind: "batch" | "invalid" }>;
  const parse = (at: { start: number; end: number } | undefined) => at && JSON.parse(ours.source.text(at));
  const id = "rawId" in ours ? JSON.parse(ours.rawId) : undefined;
  if (ours.kind === "response")
    return { method: undefined, id, params: undefined, answer: parse(ours.result ?? ours.error) };
  return { method: ours.method, id, params: parse(ours.params), answer: undefined };
}

const oddValue = fc.constantFrom(
  ...["1", "-1", "0", '""', '"a"', "null", "true", "[]", "{}", "1.5", "1e3", "-0", "9007199254740993", "1e400"],
  ...[
    '"\\u0061"',
    '"\\ud800"',
    '{"a":1,"a":2}',
    '{"code":1,"message":"x"}',
    '[{"_meta":1}]',
    "01",
    "nul",
    '"',
    "\u00e4",
  ],
);
const member = (key: string, ...usual: string[]) =>
  fc.tuple(
    fc.constant(JSON.stringify(key)),
    fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: oddValue }),
  );
const oddMember = fc.tuple(
  fc.constantFrom('"Method"', '"ID"', '"param\u017f"', '"_Meta"', '"x"', '"__proto__"', '"\\u006dethod"', '""', "x"),
  oddValue,
);
/** Text of an object with some of these members, possibly repeated, mixed with unusual ones, in any order. */
function objectOf(...members: fc.Arbitrary<[string, string]>[]): fc.Arbitrary<string> {
  const some = members.map((one) => fc.array(one, { maxLength: 2, size: "xsmall" }));
  return fc
    .tuple(fc.tuple(...some), fc.array(oddMember, { maxLength: 1 }))
    .chain(([lists, odd]) => fc.shuffledSubarray([...lists.flat(), ...odd]))
    .map((texts) => `{${texts.map((text) => text.join(":")).join(",")}}`);
}
const meta = objectOf(member("progressToken", "1", '"p"'), member(META_PROTOCOL_VERSION, '"2026-07-28"'));
const params = fc.oneof(
  objectOf(member("name", '"a__b"'), member("arguments", "{}"), member("cursor", '"c"')),
  meta.map((text) => `{"_meta":${text}}`),
);
const message = fc
  .tuple(params, fc.constantFrom('"2.0"', '"2.0"', '"2.0"', "2.0", '"1.0"'))
  .chain(([text, version]) =>
    objectOf(
      fc.constant<[string, string]>(['"jsonrpc"', version]),
      member("id", "1", '"a"', "-7", '""'),
      member("method", '"tools/call"', '""', '"notifications/x"'),
      fc.constant<[string, string]>(['"params"', text]),
      member("result", "{}"),
      member("error", '{"code":1,"message":"x"}'),
    ),
  );
/** A valid message with a few bytes replaced at a random position. */
const damaged = fc.tuple(params, fc.nat(), fc.nat(3), fc.uint8Array({ maxLength: 3 })).map(([text, at, cut, put]) => {
  const whole = Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${text}}`);
  const place = at % whole.length;
  return Buffer.concat([whole.subarray(0, place), put, whole.subarray(place + cut)]);
});

describe("request parser compared with the SDK", () => {
  it("accepts the same messages with the same meaning, except for the listed differences", (test) => {
    const body = fc.oneof(
      message.map((text) => Buffer.from(text)),
      damaged,
    );
    fc.assert(
      fc.property(body, (bytes) => void compare(bytes)),
      { numRuns: 8_000, seed: seedFor(test) },
    );
  });

  const request = (more: string) => `{"jsonrpc":"2.0","id":1,"method":"a"${more}}`;
  const deep = `{"a":${"[".repeat(70)}${"]".repeat(70)}}`;
  const keys = Array.from({ length: 10_001 }, (_, at) => `"k${at}":0`).join();
  const EXAMPLES: readonly (string | Buffer)[] = [
    request(',"x":1'),
    '{"jsonrpc":"2.0","id":1.5,"method":"a"}',
    request(',"params":{"_meta":{"progressToken":1e400}}'),
    '{"jsonrpc":"2.0","id":1,"result":5}',
    request(',"method":"a"'),
    request(',"params":{"_meta":{"ProgressToken":1}}'),
    '{"jsonrpc":"2.0","error":{"code":1,"message":"x"}}',
    request(`,"params":${deep}`),
    request(`,"params":{${keys}}`),
    Buffer.from(request(',"params":{"name":"\xff"}'), "latin1"),
  ];
  for (const [at, difference] of [...Object.keys(WIDER), ...Object.keys(NARROWER)].entries()) {
    it(`differs intentionally: ${difference}`, () => {
      assert.equal(compare(Buffer.from(EXAMPLES[at] ?? "")), difference);
    });
  }
});
