import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { headersPatch, headersProblem, losesSharedHeaders, prefixFor } from "./auth-methods.ts";

const saved = (name: string, value = "") => ({ name, value, isSaved: true });
const added = (name: string, value: string) => ({ name, value, isSaved: false });

describe("headersPatch", () => {
  it("keeps saved headers without a new value, and sends changed, added, and removed ones", () => {
    const before = [saved("X-Kept"), saved("X-Changed"), saved("X-Removed")];
    const rows = [saved("X-Kept"), saved("X-Changed", "2"), added(" X-Added ", " 3 ")];
    assert.deepEqual(headersPatch(before, rows), { "X-Removed": null, "X-Changed": "2", "X-Added": "3" });
  });
});

describe("headersProblem", () => {
  it("reports a missing header, name, or value, and a repeated name", () => {
    assert.equal(headersProblem([saved("X-A"), added("X-B", "1")]), undefined);
    assert.equal(headersProblem([]), "Add at least one header.");
    assert.equal(headersProblem([added("", "1")]), "Enter a name for each header.");
    assert.equal(headersProblem([added("X-A", "")]), "Enter a value for X-A.");
    assert.equal(headersProblem([saved("X-A"), added("x-a", "1")]), "x-a is listed twice.");
  });
});

describe("prefixFor", () => {
  it("clears the Bearer prefix for another header and restores it for Authorization", () => {
    assert.equal(prefixFor("Bearer ", "", "X-Api-Key"), "");
    assert.equal(prefixFor("", "X-Api-Key", "authorization"), "Bearer ");
    assert.equal(prefixFor("", "X-Api-Key", ""), "Bearer ");
  });

  it("keeps a prefix that somebody entered", () => {
    assert.equal(prefixFor("Token ", "Authorization", "X-Api-Key"), "Token ");
    assert.equal(prefixFor("Token ", "X-Api-Key", "Authorization"), "Token ");
  });
});

describe("losesSharedHeaders", () => {
  it("is true for a URL with another origin", () => {
    const server = {
      auth_settings: { authType: "none", sharedHeaders: { "X-A": null }, hasClientSecret: false },
      connection: { url: "https://a.example/mcp", transport: "both" },
    } as unknown as Parameters<typeof losesSharedHeaders>[0]; // a server has many more fields
    assert.equal(losesSharedHeaders(server, "https://a.example/v2"), false);
    assert.equal(losesSharedHeaders(server, "https://b.example/mcp"), true);
    assert.equal(losesSharedHeaders(server, "http://a.example/mcp"), true);
    assert.equal(losesSharedHeaders(server, ""), true);
  });
});
