import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { serverFacts } from "./facts.ts";
import { normalizeServer, type RawServer } from "./normalize-server.ts";
import { redactText } from "./redact.ts";
import { SECRET_SERVERS } from "./secret-places.ts";
import type { ReportedServer } from "./types.ts";

const word = fc.oneof(
  fc.constantFrom(
    "-y",
    "npx",
    "--token",
    "--api-key=x",
    "-e",
    "A=b",
    "--header",
    "X: y",
    "https://u:p@h.example/p?q=1",
    "sh -c 'x'",
    "sk-ant-api03-aaaaBBBBccccDDDDeeeeFFFF0123",
  ),
  fc.constantFrom(
    "@acme/x@1.0.0",
    "/home/alice/x",
    "Bearer 9f86d081884c7d659a2feaa0c55ad015",
    "=",
    "[REDACTED]",
    "postgres://a:b@c/d",
    "\ud800",
    "a\0b",
  ),
  fc.string({ maxLength: 40 }),
  fc.string({ unit: fc.constantFrom("a", "B", "1", "/", ":", "=", " ", "-", "@", "?", ".", "%"), maxLength: 40 }),
);
const raw: fc.Arbitrary<RawServer> = fc.record({
  name: word,
  client: fc.constant("cursor"),
  scope: fc.constant("user" as const),
  transport: fc.constantFrom("stdio" as const, "http" as const),
  command: word,
  args: fc.array(word, { maxLength: 6 }),
  url: fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), word),
  configPath: fc.constant("~/.cursor/mcp.json"),
});

const RAW: RawServer = {
  ...{ name: "x", client: "cursor", scope: "user", transport: "stdio", configPath: "~/.cursor/mcp.json" },
};

function again(server: ReportedServer): ReportedServer {
  const { config_path: configPath, env_keys: envKeys, header_keys: headerKeys, ...rest } = server;
  return normalizeServer({ ...rest, configPath, envKeys, headerKeys }, ["/home/alice"]);
}

describe("the normal form of a server", () => {
  it("is the same when the service normalizes the report again", () => {
    fc.assert(
      fc.property(raw, (server) => {
        const once = normalizeServer(server, ["/home/alice"]);
        assert.deepEqual(again(once), once);
      }),
      { numRuns: 1000 },
    );
  });

  it("is the same again for every form of a secret", () => {
    const texts = SECRET_SERVERS.flatMap(({ command, args, url }) => [command, args, url].flat()).filter(
      (text): text is string => typeof text === "string" && text.length < 300,
    );
    const secret = fc.constantFrom(...texts);
    fc.assert(
      fc.property(secret, fc.array(secret, { maxLength: 4 }), fc.boolean(), (first, args, isRemote) => {
        const target = isRemote ? { transport: "http" as const, url: first } : { command: first, args };
        const once = normalizeServer({ ...RAW, ...target });
        assert.deepEqual(again(once), once);
      }),
      { numRuns: 1000 },
    );
  });

  it("contains only text that every database can store", () => {
    fc.assert(
      fc.property(raw, (server) => {
        const text = JSON.stringify(normalizeServer(server, []));
        assert.ok(!text.includes("\\u0000") && !/\\ud[89a-f]/i.test(text), text);
      }),
      { numRuns: 500 },
    );
  });

  it("has facts for every input", () => {
    fc.assert(fc.property(raw, (server) => serverFacts(normalizeServer(server), ["https://gw.example/mcp"]).risk >= 0));
  });
});

describe("the redaction of text", () => {
  it("takes a bounded time for hostile texts", () => {
    for (const text of [
      "password=".repeat(2000),
      "eyJ".repeat(6000),
      "://a:b@".repeat(2500),
      "-----BEGIN PRIVATE KEY-----".repeat(600),
      "token ".repeat(3000),
    ]) {
      const startedAt = performance.now();
      redactText(text);
      assert.ok(performance.now() - startedAt < 2000, text.slice(0, 20));
    }
  });
});
