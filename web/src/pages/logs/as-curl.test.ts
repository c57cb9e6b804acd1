import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, it } from "node:test";
import { stringifyExact } from "#openapi/json";
import { asCurl, keptRequest, requestLike } from "./as-curl.ts";

const CALL = { method: "tools/call", server_slug: "github", tool: "create_issue" };

describe("a call as curl", () => {
  it("quotes hostile arguments so that a shell passes them unchanged", () => {
    const hostile = { a: "it's $(touch /tmp/x) `id` \\ \n \" !", b: "'; exit 1 #" };
    const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "a__b", arguments: hostile } };
    const script = `curl() { printf '%s\\0' "$@"; }; GATEHOUSE_ACCESS_KEY=key; ${asCurl("https://gw.example/", body)}`;
    const given = execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
    assert.deepEqual(given.slice(0, 3), ["https://gw.example/mcp", "-H", "Authorization: Bearer key"]);
    assert.deepEqual(JSON.parse(given.at(-1) ?? ""), body);
  });

  it("uses the tool's gateway name when no payload is stored", () => {
    assert.deepEqual(requestLike(CALL), {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "github__create_issue", arguments: {} },
    });
  });

  it("ignores a truncated request", () => {
    assert.equal(keptRequest('{"params":{"arguments":{"a":', CALL), undefined);
    assert.equal(keptRequest(null, CALL), undefined);
  });

  it("keeps every digit and uses the gateway name of the tool", () => {
    const short = { ...CALL, gateway_name: "github__create-9f86d081" };
    const kept = keptRequest('{"id":7,"params":{"name":"create_issue","arguments":{"a":9007199254740993}}}', short);
    assert.match(asCurl("https://gw.example", kept?.body), /"name":"github__create-9f86d081",.*"a":9007199254740993/);
    assert.equal(stringifyExact(kept?.arguments), '{"a":9007199254740993}');
  });
});
