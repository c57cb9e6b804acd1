import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { endpointKey, isWebUrl } from "./web-url.ts";

describe("an endpoint's key", () => {
  it("is the same for every spelling of one endpoint", () => {
    const key = endpointKey("https://mcp.example.com/mcp?a=B");
    for (const spelling of [
      "HTTPS://MCP.Example.COM/mcp?a=B",
      "https://mcp.example.com:443/mcp?a=B",
      "https://mcp.example.com/mcp/?a=B",
      "https://mcp.example.com/mcp//?a=B#part",
      "https://mcp.example.com/x/../mcp?a=B",
    ]) {
      assert.equal(endpointKey(spelling), key, spelling);
    }
    assert.equal(endpointKey("https://a.example"), endpointKey("https://a.example/"));
  });

  it("differs where the endpoint does", () => {
    const others = [
      "https://mcp.example.com/mcp",
      "http://mcp.example.com/mcp",
      "https://mcp.example.com:444/mcp",
      "https://mcp.example.com/MCP",
      "https://mcp.example.com/mcp?",
      "https://mcp.example.com/mcp?a=b",
      "https://mcp.example.com/mcp?a=B",
      "https://mcp.example.com/",
      "https://example.com/mcp",
    ].map(endpointKey);
    // A bare question mark says nothing.
    assert.equal(new Set(others).size, others.length - 1);
  });

  it("is short however long the address, and nothing for what is no address", () => {
    assert.equal(endpointKey(`https://a.example/${"ü".repeat(2_000)}`)?.length, 43);
    assert.equal(endpointKey("nowhere"), null);
  });
});

describe("a web address", () => {
  it("is http or https, without a password, as it stands", () => {
    for (const good of ["https://a.example", "http://127.0.0.1:1/x?y#z"]) assert.equal(isWebUrl(good), true, good);
    for (const bad of ["javascript:1", "//a.example", "https://u:p@a.example", " https://a.example", "https://a/\n"]) {
      assert.equal(isWebUrl(bad), false, bad);
    }
  });
});
