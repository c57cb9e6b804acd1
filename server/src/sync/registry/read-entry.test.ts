import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { registryRow, registryServer } from "#test/registry";
import { seedFor } from "#test/seed";
import { readEntry } from "./read-entry.ts";

const NAME = "com.example/notes";
const http = (url: string, rest: object = {}) => ({ type: "streamable-http", url, ...rest });
const sse = (url: string) => ({ type: "sse", url });
const row = (server: object) => registryRow({ name: NAME, ...server });

describe("a registry entry", () => {
  it("becomes a row", () => {
    const { search_text, sort_key, endpoint_key, ...shown } = row({
      title: "Notes",
      description: "Takes notes.",
      websiteUrl: "https://example.com/about",
      repository: { url: "https://github.com/example/notes", source: "github" },
      remotes: [sse("https://example.com/sse"), http("https://mcp.example.com/mcp")],
    });
    assert.deepEqual(shown, {
      id: NAME,
      name: "Notes",
      description: "Takes notes.",
      url: "https://mcp.example.com/mcp",
      transport: "http",
      website: "https://example.com/about",
      repo: "https://github.com/example/notes",
      official: true,
      auth_types: [],
      header_name: null,
      header_prefix: null,
    });
    assert.equal(search_text, "com.example/notes\nnotes\ntakes notes.");
    assert.equal(Buffer.from(sort_key).toString(), "notes\0com.example/notes");
    assert.equal(endpoint_key.length, 43);
  });

  it("uses the end of its ID as name without a title", () => {
    for (const title of [undefined, null, "", " \n ", 7]) assert.equal(row({ title }).name, "notes");
  });

  it("uses streamable HTTP if available, else SSE", () => {
    for (const [remotes, url, transport] of [
      [[sse("https://a.example/1"), http("https://a.example/2")], "https://a.example/2", "http"],
      [[sse("https://a.example/1"), sse("https://a.example/2")], "https://a.example/1", "sse"],
      [[http("https://{tenant}.example/"), sse("https://a.example/2")], "https://a.example/2", "sse"],
      [[http("ftp://a.example/"), null, "x", { type: "http" }, http("http://a.example/")], "http://a.example/", "http"],
    ] as const) {
      const read = row({ remotes });
      assert.deepEqual([read.url, read.transport], [url, transport]);
    }
  });

  for (const [what, raw, expected] of [
    ["an old version", registryServer({ name: NAME }, { isLatest: false }), ["skipped", "old version"]],
    ["a deleted one", registryServer({ name: NAME }, { status: "deleted" }), ["absent", "deprecated or deleted"]],
    ["a deprecated one", registryServer({ name: NAME }, { status: "deprecated" }), ["absent", "deprecated or deleted"]],
    ["one with packages only", registryServer({ name: NAME, remotes: undefined }), ["absent", "no remote endpoint"]],
    ["one without remotes", registryServer({ name: NAME, remotes: [] }), ["absent", "no remote endpoint"]],
    ["one that wants variables", entryAt("https://{x}.example.com/"), ["absent", "no usable URL"]],
    ["one with a password", entryAt("https://u:p@example.com/"), ["absent", "no usable URL"]],
    ["a script", entryAt("javascript:alert(1)"), ["absent", "no usable URL"]],
    ["a local command", entryAt("file:///bin/sh"), ["absent", "no usable URL"]],
    ["an endless address", entryAt(`https://example.com/${"x".repeat(2_000)}`), ["absent", "no usable URL"]],
    ["an id without a slash", registryServer({ name: "notes" }), ["skipped", "unreadable"]],
    ["an id with two", registryServer({ name: "a/b/c" }), ["skipped", "unreadable"]],
    ["an endless id", registryServer({ name: `a/${"b".repeat(200)}` }), ["skipped", "unreadable"]],
    ["no object", 7, ["skipped", "unreadable"]],
    ["nothing", null, ["skipped", "unreadable"]],
  ] as const) {
    it(`is skipped if it is ${what}`, () => {
      const parsed = readEntry(raw);
      assert.deepEqual([parsed.kind, "reason" in parsed && parsed.reason], expected);
    });
  }

  it("counts as latest and active without registry metadata", () => {
    const { server } = registryServer({ name: NAME });
    for (const entry of [{ server }, { server, _meta: null }, { server, _meta: { x: 1 } }, { server, _meta: [] }]) {
      assert.equal(readEntry(entry).kind, "entry");
    }
  });

  it("is official if its URL is in the publisher's domain", () => {
    for (const [name, url, official] of [
      ["com.example/x", "https://example.com/mcp", true],
      ["com.example/x", "https://mcp.EXAMPLE.com/mcp", true],
      ["com.Example.mcp/x", "https://mcp.example.com/", true],
      ["com.example/x", "https://example.com.evil.org/", false],
      ["com.example/x", "https://notexample.com/", false],
      ["com/x", "https://example.com/", false],
      ["io.github.example/x", "https://example.github.io/mcp", false],
      ["ai.smithery/x", "https://server.smithery.ai/x", false],
    ] as const) {
      assert.equal(registryRow({ name, remotes: [http(url)] }).official, official, `${name} ${url}`);
    }
  });

  it("describes the header of the API key if known", () => {
    const secret = { isSecret: true };
    for (const [headers, authTypes, name, prefix] of [
      [undefined, [], null, null],
      [[], [], null, null],
      [[{ name: "X-Region" }], [], null, null],
      [[{ name: "Authorization", ...secret }], ["proxy-api-key"], null, null],
      [[{ name: "Authorization", value: "Bearer {token}" }], ["proxy-api-key"], "Authorization", "Bearer "],
      [[{ name: "Authorization", value: "App {KEY}", ...secret }], ["proxy-api-key"], "Authorization", "App "],
      [[{ name: "X-API-Key" }, { name: "X-Region" }], ["proxy-api-key"], "X-API-Key", ""],
      [[{ name: "X-Token", value: "{token}", ...secret }], ["proxy-api-key"], "X-Token", ""],
      [[{ name: "X-Token", value: "{a}{b}", ...secret }], ["proxy-api-key"], "X-Token", ""],
      [
        [
          { name: "ApiKey", ...secret },
          { name: "ApiSecret", ...secret },
        ],
        ["proxy-api-key"],
        null,
        null,
      ],
      [[{ name: "Host", ...secret }], ["proxy-api-key"], null, null],
      [[{ name: "X-Key\r\nX: y", ...secret }], ["proxy-api-key"], null, null],
      [[{ name: "Authorization", value: "B\u00e9arer {t}" }], ["proxy-api-key"], null, null],
      [["x", null, { value: "{t}", ...secret }], [], null, null],
      ["x", [], null, null],
    ] as const) {
      const read = row({ remotes: [http("https://example.com/", { headers })] });
      assert.deepEqual([read.auth_types, read.header_name, read.header_prefix], [authTypes, name, prefix]);
    }
  });

  it("removes invisible characters and truncates long texts", () => {
    const read = row({
      title: "a\u0000b\u202ec\u{e0041}",
      description: "line\n\n  two\u2028three\ud800",
      remotes: [http("https://a.example/")],
    });
    assert.deepEqual([read.name, read.description], ["a b c", "line two three\ufffd"]);
    const long = row({ title: "😀".repeat(300), description: "x".repeat(100_000) });
    assert.ok(long.name.length <= 100 && long.name.isWellFormed() && long.name.endsWith("…"), long.name);
    assert.equal(long.description, `${"x".repeat(499)}…`);
  });

  it("keeps only http and https links", () => {
    for (const link of [
      "javascript:alert(1)",
      "data:text/html,x",
      "//example.com",
      "git@github.com:a/b",
      "https://a b/",
      7,
      {},
    ]) {
      const read = row({ websiteUrl: link, repository: { url: link } });
      assert.deepEqual([read.website, read.repo], [null, null]);
    }
    assert.equal(row({ repository: {} }).repo, null);
    assert.equal(row({ repository: "https://github.com/a/b" }).repo, null);
  });

  it("is parsed without an error and within limits for arbitrary input", (test) => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.constantFrom("https://a.example/x", "\u0000", "ﷺ".repeat(120)),
    );
    const anything = fc.oneof(text, fc.anything({ maxDepth: 2 }));
    const server = fc.record(
      {
        name: fc.oneof(anything, fc.constant(NAME)),
        title: anything,
        description: anything,
        websiteUrl: anything,
        repository: fc.oneof(anything, fc.record({ url: anything })),
        remotes: fc.oneof(
          anything,
          fc.array(
            fc.record({
              type: fc.constantFrom("sse", "streamable-http", "stdio"),
              url: text,
              headers: fc.array(fc.record({ name: text, value: anything, isSecret: anything })),
            }),
          ),
        ),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(anything, fc.record({ server, _meta: anything })), (raw) => {
        const parsed = readEntry(raw);
        if (parsed.kind !== "entry") return;
        const { name, description, url, website, repo, sort_key } = parsed.row;
        assert.ok(name.length > 0 && name.length <= 100 && description.length <= 500);
        assert.ok(sort_key.length < 1_500, String(sort_key.length));
        for (const shown of [name, description, url, website ?? "", repo ?? ""]) {
          assert.ok(shown.isWellFormed() && !/\p{Cc}/u.test(shown), JSON.stringify(shown));
        }
      }),
      { seed: seedFor(test), numRuns: 2_000 },
    );
  });
});

function entryAt(url: string) {
  return registryServer({ name: NAME, remotes: [http(url)] });
}
