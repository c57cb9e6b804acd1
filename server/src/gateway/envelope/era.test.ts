import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type EraHeaders, judgeEra, LEGACY_VERSIONS, mirroredName, negotiateLegacyVersion } from "./era.ts";
import { decodeMirrored, encodeMirrored } from "./mirrored-header.ts";
import { readRequest } from "./read-request.ts";

const VERSION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const ENVELOPE = { [VERSION]: "2026-07-28", [CAPABILITIES]: {} };

function message(method: string, params?: object, id?: number) {
  const parsed = readRequest(Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, method, params })));
  assert.ok(parsed.kind === "request" || parsed.kind === "notification");
  return parsed;
}

function headers(protocolVersion?: string, method?: string, name?: string): EraHeaders {
  return { protocolVersion, method, name };
}

function judge(method: string, params: object | undefined, given: EraHeaders, id: number | undefined = 1) {
  const verdict = judgeEra(message(method, params, id), given);
  return verdict.era === "refused" ? verdict.code : `${verdict.era} ${verdict.version}`;
}

const call = (name: string, meta: object = ENVELOPE) => ({ name, _meta: meta });

describe("judgeEra", () => {
  describe("requests", () => {
    const modern = headers("2026-07-28", "tools/call", "x");
    const cases: [promise: string, method: string, params: object | undefined, EraHeaders, string | number][] = [
      ["Spec 4.5: without any MCP header is legacy", "tools/list", undefined, headers(), "legacy undefined"],
      [
        "_meta without a version claim is legacy",
        "tools/call",
        call("x", { progressToken: 1 }),
        headers(),
        "legacy undefined",
      ],
      ["each legacy version header is fine", "tools/list", {}, headers("2024-10-07"), "legacy 2024-10-07"],
      ["an unknown version header is -32000", "tools/list", {}, headers("1999-01-01"), -32000],
      ["a version header that is no date is -32000", "tools/list", {}, headers("zebra"), -32000],
      [
        "initialize is legacy, whatever it asks for",
        "initialize",
        { protocolVersion: "2026-07-28" },
        headers(),
        "legacy undefined",
      ],
      ["initialize with a modern header is -32020", "initialize", {}, headers("2026-07-28"), -32020],
      [
        "initialize with a broken claim is legacy",
        "initialize",
        { _meta: { [VERSION]: 1 } },
        headers(),
        "legacy undefined",
      ],
      [
        "initialize in a modern envelope is modern",
        "initialize",
        { _meta: ENVELOPE },
        headers("2026-07-28", "initialize"),
        "modern 2026-07-28",
      ],
      ["the claim makes it modern", "tools/call", call("x"), modern, "modern 2026-07-28"],
      [
        "methods without a name need no Mcp-Name",
        "tools/list",
        { _meta: ENVELOPE },
        headers("2026-07-28", "tools/list"),
        "modern 2026-07-28",
      ],
      ["server/discover without envelope is -32602", "server/discover", undefined, headers(), -32602],
      ["a modern header without envelope is -32602", "tools/list", {}, headers("2026-07-28", "tools/list"), -32602],
      ["missing capabilities are -32602", "tools/call", call("x", { [VERSION]: "2026-07-28" }), modern, -32602],
      [
        "capabilities of a wrong type are -32602",
        "tools/call",
        call("x", { ...ENVELOPE, [CAPABILITIES]: [] }),
        modern,
        -32602,
      ],
      [
        "a version of a wrong type is -32602",
        "tools/call",
        call("x", { ...ENVELOPE, [VERSION]: 20260728 }),
        modern,
        -32602,
      ],
      [
        "clientInfo of a wrong type is -32602",
        "tools/call",
        call("x", { ...ENVELOPE, "io.modelcontextprotocol/clientInfo": "a" }),
        modern,
        -32602,
      ],
      [
        "logLevel of a wrong type is -32602",
        "tools/call",
        call("x", { ...ENVELOPE, "io.modelcontextprotocol/logLevel": 1 }),
        modern,
        -32602,
      ],
      [
        "an unsupported version is -32022",
        "tools/call",
        call("x", { ...ENVELOPE, [VERSION]: "2099-01-01" }),
        headers("2099-01-01", "tools/call", "x"),
        -32022,
      ],
      [
        "a legacy version in the envelope is -32022",
        "tools/call",
        call("x", { ...ENVELOPE, [VERSION]: "2025-11-25" }),
        headers("2025-11-25", "tools/call", "x"),
        -32022,
      ],
      [
        "another version in the header is -32020",
        "tools/call",
        call("x"),
        headers("2025-11-25", "tools/call", "x"),
        -32020,
      ],
      [
        "another method in the header is -32020",
        "tools/call",
        call("x"),
        headers("2026-07-28", "tools/list", "x"),
        -32020,
      ],
      ["the method's case matters", "tools/call", call("x"), headers("2026-07-28", "Tools/Call", "x"), -32020],
      [
        "another name in the header is -32020",
        "tools/call",
        call("x"),
        headers("2026-07-28", "tools/call", "y"),
        -32020,
      ],
      ["no version header is -32020", "tools/call", call("x"), headers(undefined, "tools/call", "x"), -32020],
      ["no method header is -32020", "tools/call", call("x"), headers("2026-07-28", undefined, "x"), -32020],
      ["no name header is -32020", "tools/call", call("x"), headers("2026-07-28", "tools/call"), -32020],
      ["prompts/get is named too", "prompts/get", call("x"), headers("2026-07-28", "prompts/get", "y"), -32020],
      [
        "resources/read is named by its uri",
        "resources/read",
        { uri: "file:///é", _meta: ENVELOPE },
        headers("2026-07-28", "resources/read", encodeMirrored("file:///é")),
        "modern 2026-07-28",
      ],
      [
        "an encoded name is decoded before it is compared",
        "tools/call",
        call("é"),
        headers("2026-07-28", "tools/call", "=?base64?w6k=?="),
        "modern 2026-07-28",
      ],
      [
        "an encoded name that cannot be decoded is -32020",
        "tools/call",
        call("é"),
        headers("2026-07-28", "tools/call", "=?base64?w6k?="),
        -32020,
      ],
      [
        "an encoded name that is not UTF-8 is -32020",
        "tools/call",
        call("\ufffd"),
        headers("2026-07-28", "tools/call", "=?base64?/w==?="),
        -32020,
      ],
    ];
    for (const [promise, method, params, given, expected] of cases) {
      it(promise, () => assert.equal(judge(method, params, given), expected));
    }
  });

  describe("notifications", () => {
    const cases: [promise: string, params: object | undefined, EraHeaders, string | number][] = [
      ["without claim and header are legacy", undefined, headers(), "legacy undefined"],
      [
        "with a claim are modern and need no headers",
        { _meta: { [VERSION]: "2026-07-28" } },
        headers(),
        "modern 2026-07-28",
      ],
      ["with a modern header are modern and need no envelope", undefined, headers("2026-07-28"), "modern 2026-07-28"],
      ["with a contradicting header are -32020", { _meta: ENVELOPE }, headers("2025-11-25"), -32020],
      ["with a contradicting method are -32020", undefined, headers("2026-07-28", "x"), -32020],
      ["with a claim that is no string are -32602", { _meta: { [VERSION]: null } }, headers(), -32602],
      ["of an unsupported version are -32022", undefined, headers("2099-01-01"), -32022],
    ];
    for (const [promise, params, given, expected] of cases) {
      it(promise, () => {
        const verdict = judgeEra(message("notifications/cancelled", params), given);
        assert.equal(verdict.era === "refused" ? verdict.code : `${verdict.era} ${verdict.version}`, expected);
      });
    }
  });

  it("tells which versions it supports and which was asked for", () => {
    const params = call("x", { ...ENVELOPE, [VERSION]: "2099-01-01" });
    const verdict = judgeEra(message("tools/call", params, 1), headers("2099-01-01"));
    assert.deepEqual(verdict.era === "refused" && verdict.data, { supported: ["2026-07-28"], requested: "2099-01-01" });
  });

  it("says the sentence that legacy clients know", () => {
    const verdict = judgeEra(message("tools/list", {}, 1), headers("1.0"));
    assert.equal(
      verdict.era === "refused" && verdict.message,
      "Bad Request: Unsupported protocol version: 1.0 (supported versions: 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05, 2024-10-07)",
    );
  });
});

describe("negotiateLegacyVersion", () => {
  it("echoes every supported version and answers others with the newest legacy one", () => {
    for (const version of LEGACY_VERSIONS) assert.equal(negotiateLegacyVersion(version), version);
    for (const version of ["2026-07-28", "1999-01-01", "", undefined]) {
      assert.equal(negotiateLegacyVersion(version), "2025-11-25");
    }
  });
});

describe("mirrored headers", () => {
  it("survive the way through a header", () => {
    for (const value of ["get_weather", "with space", " edge ", "é", "=?base64?x?=", "", "a\nb", "\ufeffx"]) {
      const encoded = encodeMirrored(value);
      assert.match(encoded, /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/);
      assert.equal(decodeMirrored(encoded), value);
    }
  });

  it("stay plain where they can", () => assert.equal(encodeMirrored("weather__get forecast"), "weather__get forecast"));

  it("repeat the name or the uri of the methods that have one", () => {
    assert.equal(mirroredName(message("tools/call", { name: "a" }, 1)), "a");
    assert.equal(mirroredName(message("resources/read", { uri: "u:" }, 1)), "u:");
    assert.equal(mirroredName(message("tools/list", { name: "a" }, 1)), undefined);
  });
});
