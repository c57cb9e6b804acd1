import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { determineEra, type EraHeaders, LEGACY_VERSIONS, mirroredName, negotiateLegacyVersion } from "./era.ts";
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

function eraOf(method: string, params: object | undefined, given: EraHeaders, id: number | undefined = 1) {
  const verdict = determineEra(message(method, params, id), given);
  return verdict.era === "refused" ? verdict.code : `${verdict.era} ${verdict.version}`;
}

const call = (name: string, meta: object = ENVELOPE) => ({ name, _meta: meta });

describe("determineEra", () => {
  describe("requests", () => {
    const modern = headers("2026-07-28", "tools/call", "x");
    const cases: [title: string, method: string, params: object | undefined, EraHeaders, string | number][] = [
      [
        "treats a request without any MCP header as legacy (Spec 4.5)",
        "tools/list",
        undefined,
        headers(),
        "legacy undefined",
      ],
      [
        "treats _meta without a protocol version as legacy",
        "tools/call",
        call("x", { progressToken: 1 }),
        headers(),
        "legacy undefined",
      ],
      ["accepts a legacy version header", "tools/list", {}, headers("2024-10-07"), "legacy 2024-10-07"],
      ["rejects an unknown version header with -32000", "tools/list", {}, headers("1999-01-01"), -32000],
      ["rejects a version header that is not a date with -32000", "tools/list", {}, headers("zebra"), -32000],
      [
        "treats initialize as legacy, whichever version it requests",
        "initialize",
        { protocolVersion: "2026-07-28" },
        headers(),
        "legacy undefined",
      ],
      ["rejects initialize with a modern header with -32020", "initialize", {}, headers("2026-07-28"), -32020],
      [
        "treats initialize with an invalid version in _meta as legacy",
        "initialize",
        { _meta: { [VERSION]: 1 } },
        headers(),
        "legacy undefined",
      ],
      [
        "treats initialize in a modern envelope as modern",
        "initialize",
        { _meta: ENVELOPE },
        headers("2026-07-28", "initialize"),
        "modern 2026-07-28",
      ],
      [
        "treats a request with a modern version in _meta as modern",
        "tools/call",
        call("x"),
        modern,
        "modern 2026-07-28",
      ],
      [
        "requires no Mcp-Name for methods without a name",
        "tools/list",
        { _meta: ENVELOPE },
        headers("2026-07-28", "tools/list"),
        "modern 2026-07-28",
      ],
      ["rejects server/discover without an envelope with -32602", "server/discover", undefined, headers(), -32602],
      [
        "rejects a modern header without an envelope with -32602",
        "tools/list",
        {},
        headers("2026-07-28", "tools/list"),
        -32602,
      ],
      [
        "rejects missing capabilities with -32602",
        "tools/call",
        call("x", { [VERSION]: "2026-07-28" }),
        modern,
        -32602,
      ],
      [
        "rejects capabilities of the wrong type with -32602",
        "tools/call",
        call("x", { ...ENVELOPE, [CAPABILITIES]: [] }),
        modern,
        -32602,
      ],
      [
        "rejects a version of the wrong type with -32602",
        "tools/call",
        call("x", { ...ENVELOPE, [VERSION]: 20260728 }),
        modern,
        -32602,
      ],
      [
        "rejects clientInfo of the wrong type with -32602",
        "tools/call",
        call("x", { ...ENVELOPE, "io.modelcontextprotocol/clientInfo": "a" }),
        modern,
        -32602,
      ],
      [
        "rejects a logLevel of the wrong type with -32602",
        "tools/call",
        call("x", { ...ENVELOPE, "io.modelcontextprotocol/logLevel": 1 }),
        modern,
        -32602,
      ],
      [
        "rejects an unsupported version with -32022",
        "tools/call",
        call("x", { ...ENVELOPE, [VERSION]: "2099-01-01" }),
        headers("2099-01-01", "tools/call", "x"),
        -32022,
      ],
      [
        "rejects a legacy version in the envelope with -32022",
        "tools/call",
        call("x", { ...ENVELOPE, [VERSION]: "2025-11-25" }),
        headers("2025-11-25", "tools/call", "x"),
        -32022,
      ],
      [
        "rejects a version header that differs from _meta with -32020",
        "tools/call",
        call("x"),
        headers("2025-11-25", "tools/call", "x"),
        -32020,
      ],
      [
        "rejects a method header that differs from the body with -32020",
        "tools/call",
        call("x"),
        headers("2026-07-28", "tools/list", "x"),
        -32020,
      ],
      [
        "compares the method case-sensitively",
        "tools/call",
        call("x"),
        headers("2026-07-28", "Tools/Call", "x"),
        -32020,
      ],
      [
        "rejects a name header that differs from the body with -32020",
        "tools/call",
        call("x"),
        headers("2026-07-28", "tools/call", "y"),
        -32020,
      ],
      [
        "rejects a missing version header with -32020",
        "tools/call",
        call("x"),
        headers(undefined, "tools/call", "x"),
        -32020,
      ],
      [
        "rejects a missing method header with -32020",
        "tools/call",
        call("x"),
        headers("2026-07-28", undefined, "x"),
        -32020,
      ],
      [
        "rejects a missing name header with -32020",
        "tools/call",
        call("x"),
        headers("2026-07-28", "tools/call"),
        -32020,
      ],
      [
        "compares the name header for prompts/get",
        "prompts/get",
        call("x"),
        headers("2026-07-28", "prompts/get", "y"),
        -32020,
      ],
      [
        "compares the name header with the URI for resources/read",
        "resources/read",
        { uri: "file:///é", _meta: ENVELOPE },
        headers("2026-07-28", "resources/read", encodeMirrored("file:///é")),
        "modern 2026-07-28",
      ],
      [
        "decodes an encoded name before comparing it",
        "tools/call",
        call("é"),
        headers("2026-07-28", "tools/call", "=?base64?w6k=?="),
        "modern 2026-07-28",
      ],
      [
        "rejects an encoded name that cannot be decoded with -32020",
        "tools/call",
        call("é"),
        headers("2026-07-28", "tools/call", "=?base64?w6k?="),
        -32020,
      ],
      [
        "rejects an encoded name that is not UTF-8 with -32020",
        "tools/call",
        call("\ufffd"),
        headers("2026-07-28", "tools/call", "=?base64?/w==?="),
        -32020,
      ],
    ];
    for (const [title, method, params, given, expected] of cases) {
      it(title, () => assert.equal(eraOf(method, params, given), expected));
    }
  });

  describe("notifications", () => {
    const cases: [title: string, params: object | undefined, EraHeaders, string | number][] = [
      ["treats one without a version and header as legacy", undefined, headers(), "legacy undefined"],
      [
        "treats one with a version in _meta as modern without requiring headers",
        { _meta: { [VERSION]: "2026-07-28" } },
        headers(),
        "modern 2026-07-28",
      ],
      [
        "treats one with a modern header as modern without requiring an envelope",
        undefined,
        headers("2026-07-28"),
        "modern 2026-07-28",
      ],
      ["rejects a contradicting version header with -32020", { _meta: ENVELOPE }, headers("2025-11-25"), -32020],
      ["rejects a contradicting method header with -32020", undefined, headers("2026-07-28", "x"), -32020],
      ["rejects a version that is not a string with -32602", { _meta: { [VERSION]: null } }, headers(), -32602],
      ["rejects an unsupported version with -32022", undefined, headers("2099-01-01"), -32022],
    ];
    for (const [title, params, given, expected] of cases) {
      it(title, () => {
        const verdict = determineEra(message("notifications/cancelled", params), given);
        assert.equal(verdict.era === "refused" ? verdict.code : `${verdict.era} ${verdict.version}`, expected);
      });
    }
  });

  it("reports the supported versions and the requested one", () => {
    const params = call("x", { ...ENVELOPE, [VERSION]: "2099-01-01" });
    const verdict = determineEra(message("tools/call", params, 1), headers("2099-01-01"));
    assert.deepEqual(verdict.era === "refused" && verdict.data, { supported: ["2026-07-28"], requested: "2099-01-01" });
  });

  it("uses the error message that legacy clients recognize", () => {
    const verdict = determineEra(message("tools/list", {}, 1), headers("1.0"));
    assert.equal(
      verdict.era === "refused" && verdict.message,
      "Bad Request: Unsupported protocol version: 1.0 (supported versions: 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05, 2024-10-07)",
    );
  });
});

describe("negotiateLegacyVersion", () => {
  it("echoes every supported version and answers others with the newest legacy version", () => {
    for (const version of LEGACY_VERSIONS) assert.equal(negotiateLegacyVersion(version), version);
    for (const version of ["2026-07-28", "1999-01-01", "", undefined]) {
      assert.equal(negotiateLegacyVersion(version), "2025-11-25");
    }
  });
});

describe("mirrored headers", () => {
  it("survives a header round trip", () => {
    for (const value of ["get_weather", "with space", " edge ", "é", "=?base64?x?=", "", "a\nb", "\ufeffx"]) {
      const encoded = encodeMirrored(value);
      assert.match(encoded, /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/);
      assert.equal(decodeMirrored(encoded), value);
    }
  });

  it("leaves plain values unencoded", () =>
    assert.equal(encodeMirrored("weather__get forecast"), "weather__get forecast"));

  it("repeats the name or the URI of methods that have one", () => {
    assert.equal(mirroredName(message("tools/call", { name: "a" }, 1)), "a");
    assert.equal(mirroredName(message("resources/read", { uri: "u:" }, 1)), "u:");
    assert.equal(mirroredName(message("tools/list", { name: "a" }, 1)), undefined);
  });
});
