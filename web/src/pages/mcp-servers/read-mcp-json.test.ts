import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { freeSlug, nameFromUrl, readMcpJson, slugFromName } from "./read-mcp-json.ts";

function serversOf(text: string) {
  const read = readMcpJson(text);
  assert.ok("servers" in read, JSON.stringify(read));
  return read.servers;
}

describe("reading an mcp.json", () => {
  it("finds servers under the names that clients use, in a plain map, and in a single entry", () => {
    const entry = { url: "https://mcp.linear.app/mcp" };
    for (const file of [{ mcpServers: { linear: entry } }, { servers: { linear: entry } }, { linear: entry }]) {
      const [server] = serversOf(JSON.stringify(file));
      assert.equal(server?.name, "linear");
      assert.equal(server?.url, entry.url);
    }
    assert.equal(serversOf(JSON.stringify(entry))[0]?.name, "Linear");
  });

  it("ignores comments and trailing commas outside of strings", () => {
    const text = `{ // mine
      "mcpServers": { /* work */ "a": { "url": "https://a.example/x,]//y", }, },
    }`;
    assert.equal(serversOf(text)[0]?.url, "https://a.example/x,]//y");
  });

  it("reads the transport and the headers", () => {
    const headers = { "X-Api-Key": "hush" };
    const file = { mcpServers: { a: { type: "sse", url: "https://a.example/sse", headers } } };
    const [server] = serversOf(JSON.stringify(file));
    assert.equal(server?.transport, "sse");
    assert.deepEqual(server?.headers, [["X-Api-Key", "hush"]]);
    assert.deepEqual(server?.variables, []);
  });

  it("lists the variables of the headers with the descriptions of the file", () => {
    const headers = { Authorization: "Bearer $".concat("{input:token}"), "X-Team": "$".concat("{TEAM:-core}") };
    const inputs = [{ id: "token", type: "promptString", description: "Linear API key" }];
    const [server] = serversOf(JSON.stringify({ inputs, servers: { a: { url: "https://a.example/mcp", headers } } }));
    assert.deepEqual(
      server?.variables.map(({ label }) => label),
      ["Linear API key", "TEAM"],
    );
  });

  it("reports why a server cannot be added", () => {
    const [local, script] = serversOf(
      JSON.stringify({ mcpServers: { local: { command: "npx" }, script: { url: "javascript:alert(1)" } } }),
    );
    assert.equal(local?.url, undefined);
    assert.match(local?.problem ?? "", /local command/);
    assert.equal(script?.url, undefined);
    assert.match(script?.problem ?? "", /no URL/);
  });

  it("distinguishes invalid JSON, JSON without servers, and an empty text", () => {
    assert.deepEqual(readMcpJson("  "), { servers: [] });
    assert.match(JSON.stringify(readMcpJson("{")), /not valid JSON/);
    assert.match(JSON.stringify(readMcpJson('{"theme": "dark"}')), /No servers/);
  });

  it("derives a slug from a name, and a free one", () => {
    assert.deepEqual(["My Tracker", "Café!", "日本"].map(slugFromName), ["my-tracker", "cafe", "server"]);
    assert.equal(freeSlug("tracker", new Set()), "tracker");
    assert.equal(freeSlug("tracker", new Set(["tracker", "tracker-2"])), "tracker-3");
    assert.equal(freeSlug("x".repeat(40), new Set(["x".repeat(40)])), `${"x".repeat(38)}-2`);
  });

  it("derives a name from a URL", () => {
    const names = ["https://mcp.linear.app/mcp", "https://docs.mcp.cloudflare.com/sse", "http://localhost:3000", "x"];
    assert.deepEqual(names.map(nameFromUrl), ["Linear", "Cloudflare", "Localhost", ""]);
  });
});
