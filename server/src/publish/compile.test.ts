import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compileCredential, compileGroup, compileServer, compileUser } from "./compile.ts";
import type { PublishedServer, PublishedTool } from "./published-records.ts";

const same = (text: string) => text;

function tool(slug: string, rest: Partial<PublishedTool> = {}): PublishedTool {
  const definition = '{"inputSchema":{"type":"object"}}';
  return { slug, upstream_name: slug, definition, position: 0, required_capabilities: [], ...rest };
}

function server(rest: Partial<PublishedServer> = {}): PublishedServer {
  return {
    id: "srv_1",
    slug: "files",
    name: "Files",
    status: "active",
    upstream_url: "https://files.example/mcp",
    is_local: false,
    upstream_transport: "http",
    auth_type: "none",
    eras: ["modern"],
    tools_synced_at: 1,
    sync_error: null,
    heldTools: 0,
    tools: [],
    items: [],
    groupIds: [],
    ...rest,
  };
}

describe("compileServer", () => {
  it("serializes enabled tools in order, with the gateway name and an otherwise unchanged definition", () => {
    const definition = '{"title":"Größe","inputSchema":{"maximum":9007199254740993,"a":1,"a":2}}';
    const entry = compileServer(
      server({ tools: [tool("second", { position: 2 }), tool("first", { position: 1, definition })] }),
      same,
    );
    assert.equal(
      entry.tools.fragment.toString(),
      '{"name":"files__first","title":"Größe","inputSchema":{"maximum":9007199254740993,"a":1,"a":2}},' +
        '{"name":"files__second","inputSchema":{"type":"object"}}',
    );
    assert.equal(entry.tools.items.length, 2);
  });

  it("produces valid JSON from an empty or loosely formatted definition", () => {
    for (const definition of ["{}", "{ }", ' {\n "title": "x" } ']) {
      const { tools } = compileServer(server({ tools: [tool("t", { definition })] }), same);
      assert.deepEqual(JSON.parse(tools.fragment.toString()), { name: "files__t", ...JSON.parse(definition) });
    }
  });

  it("finds a tool by its slug and by its full upstream name, and counts it once (D28)", () => {
    const entry = compileServer(server({ tools: [tool("long-1", { upstream_name: "a long name" })] }), same);
    assert.equal(entry.tools.byKey.get("long-1"), entry.tools.byKey.get("a long name"));
    assert.equal(entry.tools.byKey.get("long-1")?.upstreamName, "a long name");
    assert.equal(entry.tools.items.length, 1);
  });

  it("does not let an upstream name hide another tool's slug", () => {
    const rows = [tool("x_2", { upstream_name: "x" }), tool("x", { upstream_name: "x!" })];
    for (const tools of [rows, rows.toReversed()]) {
      const entry = compileServer(server({ tools }), same);
      assert.equal(entry.tools.byKey.get("x")?.upstreamName, "x!");
      assert.equal(entry.tools.byKey.get("x_2")?.upstreamName, "x");
    }
  });

  it("serializes prompts like tools", () => {
    const items = [
      { kind: "prompt", slug: "b", upstream_name: "b", definition: "{}" },
      { kind: "prompt", slug: "a-1", upstream_name: "a !", definition: '{"title":"A"}' },
    ] as const;
    const { prompts } = compileServer(server({ items }), same);
    assert.equal(prompts.fragment.toString(), '{"name":"files__b"},{"name":"files__a-1","title":"A"}');
    assert.equal(prompts.items.length, 2);
    assert.equal(prompts.byKey.get("a !")?.slug, "a-1");
  });

  it("lists nothing of a server that cannot be called (AZ-2)", () => {
    const items = [{ kind: "prompt", slug: "p", upstream_name: "p", definition: "{}" }] as const;
    const bare = server({ upstream_url: null, upstream_transport: null, tools: [tool("t")], items });
    const entry = compileServer(bare, same);
    assert.equal(entry.prompts.items.length, 0);
    assert.equal(entry.upstream, undefined);
    assert.equal(entry.tools.byKey.size, 0);
    assert.equal(entry.tools.items.length, 0);
    assert.equal(entry.tools.fragment.length, 0);
  });

  it("includes draft status, sync state and upstream", () => {
    const entry = compileServer(server({ status: "draft", tools_synced_at: null, groupIds: ["g"] }), same);
    assert.equal(entry.active, false);
    assert.equal(entry.synced, false);
    assert.deepEqual(entry.groupIds, new Set(["g"]));
    assert.deepEqual(entry.upstream, {
      url: "https://files.example/mcp",
      transport: "http",
      authType: "none",
      eras: ["modern"],
    });
  });
});

describe("compileGroup, compileUser, compileCredential", () => {
  it("keep the fields that the gateway reads, in a fixed order", () => {
    assert.deepEqual(
      compileGroup({
        id: "g",
        name: "g",
        show_draft_mcps: true,
        calls_per_minute: null,
        concurrent_calls: null,
        serverIds: ["b", "a"],
        selections: undefined,
      }),
      {
        id: "g",
        showDrafts: true,
        serverIds: ["a", "b"],
      },
    );
    const user = { id: "u", email: "U@x.example", is_machine_user: true, disabled: false, groupIds: ["h", "g"] };
    assert.deepEqual(compileUser(user, same), {
      id: "u",
      email: "U@x.example",
      isMachine: true,
      disabled: false,
      groupIds: ["g", "h"],
    });
    const credential = {
      id: "c",
      kind: "machine_key",
      user_id: "u",
      access_key: "k",
      verifier: new Uint8Array([1, 2]),
      pepper_version: 3,
      previous_verifier: null,
      previous_pepper_version: null,
      previous_expires_at: null,
      expires_at: null,
      toolkit: null,
    } as const;
    assert.deepEqual(compileCredential(credential, same), {
      id: "c",
      kind: "machine_key",
      userId: "u",
      verifier: "AQI=",
      pepperVersion: 3,
      expiresAt: undefined,
      clientId: undefined,
      path: undefined,
      serverId: undefined,
      previous: undefined,
    });
    const rotated = {
      ...credential,
      previous_verifier: new Uint8Array([3]),
      previous_pepper_version: 2,
      previous_expires_at: 9,
    };
    const previous = { verifier: "Aw==", pepperVersion: 2, expiresAt: 9 };
    assert.deepEqual(compileCredential(rotated, same).previous, previous);
  });
});
