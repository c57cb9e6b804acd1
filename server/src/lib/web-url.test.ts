import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { endpointKey, isWebUrl } from "./web-url.ts";

describe("an endpoint key", () => {
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

  it("differs for different endpoints", () => {
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
    // An empty query makes no difference.
    assert.equal(new Set(others).size, others.length - 1);
  });

  it("has a fixed length, and is null for an invalid URL", () => {
    assert.equal(endpointKey(`https://a.example/${"ü".repeat(2_000)}`)?.length, 43);
    assert.equal(endpointKey("nowhere"), null);
  });
});

describe("a web URL", () => {
  it("is http or https, without a password, in its normal form", () => {
    for (const good of ["https://a.example", "http://127.0.0.1:1/x?y#z"]) assert.equal(isWebUrl(good), true, good);
    for (const bad of ["javascript:1", "//a.example", "https://u:p@a.example", " https://a.example", "https://a/\n"]) {
      assert.equal(isWebUrl(bad), false, bad);
    }
  });
});
