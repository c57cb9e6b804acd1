import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { it } from "node:test";
import { createAddressOf } from "./caller-address.ts";

function address(trusted: string[], peer: string, forwarded?: string): string {
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  const socket = { remoteAddress: peer } as IncomingMessage["socket"]; // the only member that is read
  return createAddressOf(trusted)({ headers, socket });
}

it("reports the peer if it is no trusted proxy", () => {
  assert.equal(address([], "10.0.0.1", "203.0.113.7"), "10.0.0.1");
  assert.equal(address(["10.1.0.0/16"], "10.0.0.1", "203.0.113.7"), "10.0.0.1");
  assert.equal(address(["10.0.0.0/8"], "10.0.0.1"), "10.0.0.1");
});

it("reports the nearest address that no trusted proxy has", () => {
  const trusted = ["10.0.0.0/8", "fd00::/8"];
  assert.equal(address(trusted, "10.0.0.1", "203.0.113.7"), "203.0.113.7");
  assert.equal(address(trusted, "::ffff:10.0.0.1", "198.51.100.1, 203.0.113.7, 10.0.0.9"), "203.0.113.7");
  assert.equal(address(trusted, "fd00::1", "2001:db8::7"), "2001:db8::7");
});

it("ignores what is not an address", () => {
  assert.equal(address(["10.0.0.1"], "10.0.0.1", "unknown"), "10.0.0.1");
  assert.equal(address(["10.0.0.1"], "10.0.0.1", "203.0.113.7, , 10.0.0.1"), "10.0.0.1");
});
