import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { nameFromUrl, readMcpJson } from "./read-mcp-json.ts";

function serversOf(text: string) {
  const read = readMcpJson(text);
  assert.ok("servers" in read, JSON.stringify(read));
  return read.servers;
}

describe("reading an mcp.json", () => {
  it("finds servers under the names that clients use, alone as a map, and one entry by itself", () => {
    const entry = { url: "https://mcp.linear.app/mcp" };
    for (const file of [{ mcpServers: { linear: entry } }, { servers: { linear: entry } }, { linear: entry }]) {
      const [server] = serversOf(JSON.stringify(file));
      assert.equal(server?.name, "linear");
      assert.equal(server?.url, entry.url);
    }
    assert.equal(serversOf(JSON.stringify(entry))[0]?.name, "Linear");
  });

  it("reads files as people keep them, with comments and commas too many, and leaves texts alone", () => {
    const text = `{ // mine
      "mcpServers": { /* work */ "a": { "url": "https://a.example/x,]//y", }, },
    }`;
    assert.equal(serversOf(text)[0]?.url, "https://a.example/x,]//y");
  });

  it("takes the transport over, and from a key only that there is one", () => {
    const headers = { "X-Api-Key": "hush" };
    const file = { mcpServers: { a: { type: "sse", url: "https://a.example/sse", headers } } };
    const [server] = serversOf(JSON.stringify(file));
    assert.equal(server?.transport, "sse");
    assert.equal(server?.authType, "proxy-api-key");
    assert.equal(server?.headerName, "X-Api-Key");
    assert.ok(!JSON.stringify(server).includes("hush"));
  });

  it("says why a server cannot be added: it runs a command, or leads nowhere", () => {
    const [local, script] = serversOf(
      JSON.stringify({ mcpServers: { local: { command: "npx" }, script: { url: "javascript:alert(1)" } } }),
    );
    assert.equal(local?.url, undefined);
    assert.match(local?.because ?? "", /runs a command/);
    assert.equal(script?.url, undefined);
    assert.match(script?.because ?? "", /no address/);
  });

  it("tells text that is no JSON from JSON without servers, and nothing from both", () => {
    assert.deepEqual(readMcpJson("  "), { servers: [] });
    assert.match(JSON.stringify(readMcpJson("{")), /not JSON/);
    assert.match(JSON.stringify(readMcpJson('{"theme": "dark"}')), /no servers/);
  });

  it("makes a name of an address", () => {
    const names = ["https://mcp.linear.app/mcp", "https://docs.mcp.cloudflare.com/sse", "http://localhost:3000", "x"];
    assert.deepEqual(names.map(nameFromUrl), ["Linear", "Cloudflare", "Localhost", ""]);
  });
});
