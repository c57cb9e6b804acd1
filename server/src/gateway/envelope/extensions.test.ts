import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { filterExtensions, supportedExtensions } from "./extensions.ts";
import { META_CLIENT_CAPABILITIES } from "./meta-keys.ts";
import { readRequest } from "./read-request.ts";
import { rewriteCall } from "./rewrite-call.ts";

const UI = "io.modelcontextprotocol/ui";
const TASKS = "io.modelcontextprotocol/tasks";

/** Returns the capabilities that an upstream receives when a caller declares these, given as JSON text. */
function forwardedCapabilities(capabilities: string, prefixed: boolean, progressToken?: number): unknown {
  const meta = `{"progressToken":"p","${META_CLIENT_CAPABILITIES}":${capabilities},"own":1}`;
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","_meta":${meta}}}`;
  const call = readRequest(Buffer.from(body));
  assert.ok(call.kind === "request");
  const declared = call.params?.meta?.members.get(META_CLIENT_CAPABILITIES);
  const rewritten = rewriteCall(call, {
    id: 2,
    envelope: "keep",
    capabilities: filterExtensions(supportedExtensions(prefixed), call.source, declared),
    ...(progressToken === undefined ? {} : { progressToken }),
  });
  const { _meta } = JSON.parse(rewritten.toString("utf8")).params;
  assert.deepEqual([_meta.own, _meta.progressToken], [1, progressToken]);
  return _meta[META_CLIENT_CAPABILITIES];
}

describe("extensions declared by a caller", () => {
  const both = JSON.stringify({ sampling: {}, extensions: { [UI]: { mimeTypes: ["text/html"] }, [TASKS]: {} } });

  for (const token of [undefined, 5]) {
    const label = token === undefined ? "without a progress token" : "with a progress token";
    it(`are removed when names have a prefix, while other capabilities are forwarded (${label})`, () => {
      assert.deepEqual(forwardedCapabilities(both, true, token), { sampling: {} });
    });

    it(`are forwarded at a single-server URL if the gateway supports them (${label})`, () => {
      assert.deepEqual(forwardedCapabilities(both, false, token), {
        sampling: {},
        extensions: { [UI]: { mimeTypes: ["text/html"] } },
      });
    });
  }

  it("are recognized in any JSON spelling", () => {
    assert.deepEqual(forwardedCapabilities(String.raw`{"\u0065xtensions":{"${TASKS}":{}}}`, false), {});
    assert.deepEqual(forwardedCapabilities('{"extensions":"all of them"}', false), {});
    assert.deepEqual(forwardedCapabilities('{"extensions":null,"roots":{}}', false), { roots: {} });
  });

  it("leave capabilities without extensions unchanged", () => {
    for (const text of ["{}", '{ "sampling" : {} , "elicitation":{"url":{}} }']) {
      const call = readRequest(Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":${text}}}`));
      assert.ok(call.kind === "request" && call.params?.meta);
      const { start, end } = call.params.meta;
      const member = { kind: "object", keyStart: 0, start, end } as const;
      assert.equal(filterExtensions(supportedExtensions(true), call.source, member), undefined);
    }
  });
});
