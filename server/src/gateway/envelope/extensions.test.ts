import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { capabilitiesWith, heldExtensions } from "./extensions.ts";
import { META_CLIENT_CAPABILITIES } from "./meta-keys.ts";
import { readRequest } from "./read-request.ts";
import { rewriteCall } from "./rewrite-call.ts";

const UI = "io.modelcontextprotocol/ui";
const TASKS = "io.modelcontextprotocol/tasks";

/** What an upstream hears of capabilities that a caller claims, given as JSON text. */
function heard(capabilities: string, prefixed: boolean, progressToken?: number): unknown {
  const meta = `{"progressToken":"p","${META_CLIENT_CAPABILITIES}":${capabilities},"own":1}`;
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","_meta":${meta}}}`;
  const call = readRequest(Buffer.from(body));
  assert.ok(call.kind === "request");
  const claimed = call.params?.meta?.members.get(META_CLIENT_CAPABILITIES);
  const rewritten = rewriteCall(call, {
    id: 2,
    envelope: "keep",
    capabilities: capabilitiesWith(heldExtensions(prefixed), call.source, claimed),
    ...(progressToken === undefined ? {} : { progressToken }),
  });
  const { _meta } = JSON.parse(rewritten.toString("utf8")).params;
  assert.deepEqual([_meta.own, _meta.progressToken], [1, progressToken]);
  return _meta[META_CLIENT_CAPABILITIES];
}

describe("extensions that a caller claims", () => {
  const both = JSON.stringify({ sampling: {}, extensions: { [UI]: { mimeTypes: ["text/html"] }, [TASKS]: {} } });

  for (const token of [undefined, 5]) {
    const words = token === undefined ? "without a progress token" : "with a progress token";
    it(`end at the gateway where names carry a prefix, and the rest goes on (${words})`, () => {
      assert.deepEqual(heard(both, true, token), { sampling: {} });
    });

    it(`go on at the address of one server when they hold there (${words})`, () => {
      assert.deepEqual(heard(both, false, token), { sampling: {}, extensions: { [UI]: { mimeTypes: ["text/html"] } } });
    });
  }

  it("are found however they are written", () => {
    assert.deepEqual(heard(String.raw`{"\u0065xtensions":{"${TASKS}":{}}}`, false), {});
    assert.deepEqual(heard('{"extensions":"all of them"}', false), {});
    assert.deepEqual(heard('{"extensions":null,"roots":{}}', false), { roots: {} });
  });

  it("that are not there change nothing, byte for byte", () => {
    for (const text of ["{}", '{ "sampling" : {} , "elicitation":{"url":{}} }']) {
      const call = readRequest(Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":${text}}}`));
      assert.ok(call.kind === "request" && call.params?.meta);
      const { start, end } = call.params.meta;
      const member = { kind: "object", keyStart: 0, start, end } as const;
      assert.equal(capabilitiesWith(heldExtensions(true), call.source, member), undefined);
    }
  });
});
