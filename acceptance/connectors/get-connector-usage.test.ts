import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { forEachTarget } from "../kit/suite.ts";

interface Entry {
  readonly id: string;
  readonly url: string;
  readonly description: string;
  readonly auth_types: readonly string[];
}

interface Usage {
  readonly count: number;
  readonly in_use: boolean;
  readonly mcp_servers: readonly { readonly slug: string }[];
}

forEachTarget("GET /api/connectors/{connector_id}/usage", (api) => {
  const usage = async (id: string, query = "") =>
    (await api.body(200, "GET", `/api/connectors/${encodeURIComponent(id)}/usage${query}`)).data;
  /** The target may have other servers of the same entry. */
  const uses = ({ count, in_use, mcp_servers }: Usage, slug: string) => {
    assert.deepEqual([mcp_servers.length, count > 0], [count, in_use]);
    return mcp_servers.some((server) => server.slug === slug);
  };
  let builtIn: Entry;
  /** Undefined if the target has no registry. */
  let registered: Entry | undefined;

  before(async () => {
    const { data } = await api.body(200, "GET", "/api/connectors?source=connector&limit=200");
    // A server with authentication per user causes no outbound requests.
    builtIn = data.find((entry: Entry) => entry.auth_types.includes("proxy-oauth"));
    [registered] = (await api.body(200, "GET", "/api/connectors?source=registry&limit=1")).data;
  });

  it("lists the servers created from a built-in connector [S2.4-fields S2.4-in-use S2.4-servers S4.2-usage S4.2-usage-built-in]", async () => {
    const before = await usage(builtIn.id);
    const name = api.unique("used");
    const slug = await api.server({ name, connector_id: builtIn.id, status: "draft" });
    const after = await usage(builtIn.id);
    assert.deepEqual(Object.keys(after).sort(), ["connector_id", "count", "in_use", "mcp_servers", "source"]);
    assert.deepEqual([after.connector_id, after.source, after.in_use], [builtIn.id, "connector", true]);
    assert.equal(after.count, before.count + 1);
    const server = after.mcp_servers.find((each: { slug: string }) => each.slug === slug);
    const { id, needs_setup: needsSetup, ...rest } = server;
    assert.deepEqual(rest, { slug, name, status: "draft" });
    assert.deepEqual([typeof id, typeof needsSetup], ["string", "boolean"]);
    await api.body(200, "DELETE", `/api/mcp-servers?slug=${slug}`);
    assert.equal(uses(await usage(builtIn.id), slug), false);
  });

  it("lists the servers with the URL of a registry entry [S4.2-usage-registry]", async (test) => {
    if (!registered) return test.diagnostic("the target reads no registry");
    const auth = { authType: "proxy-oauth" };
    const proxy = JSON.stringify({ type: "http", url: registered.url });
    const slug = await api.server({ mcp_proxy: proxy, auth_settings: auth });
    const other = await api.server({
      mcp_proxy: JSON.stringify({ url: `${registered.url}/other` }),
      auth_settings: auth,
    });
    const found = await usage(registered.id);
    assert.deepEqual([found.connector_id, found.source], [registered.id, "registry"]);
    assert.deepEqual([uses(found, slug), uses(found, other)], [true, false]);
  });

  it("matches both ways without source, and one way with it [S4.2-usage-source]", async () => {
    const slug = await api.server({ connector_id: builtIn.id, status: "draft" });
    assert.equal(uses(await usage(builtIn.id), slug), true);
    assert.equal(uses(await usage(builtIn.id, "?source=connector"), slug), true);
    const asRegistry = await usage(builtIn.id, "?source=registry");
    assert.deepEqual([asRegistry.source, uses(asRegistry, slug)], ["registry", false]);
  });

  it("counts 0 for an unknown ID [S4.2-usage]", async () => {
    const id = api.unique("unknown");
    const unused = { connector_id: id, source: "connector", in_use: false, count: 0, mcp_servers: [] };
    assert.deepEqual(await usage(id), unused);
    assert.deepEqual(await usage(id, "?source=registry"), { ...unused, source: "registry" });
  });

  it("400 without an ID, and for an unknown source [S4.2-usage-id-missing S7-connector-id]", async () => {
    for (const path of ["/api/connectors//usage", "/api/connectors/%20/usage"]) {
      await api.expect(400, { error: "Connector id is required" }, "GET", path);
    }
    const path = `/api/connectors/${builtIn.id}/usage?source=both`;
    await api.invalid("source: must be one of connector, registry", "GET", path);
  });

  describe("connector_id on creation", () => {
    it("sets fields that the body omits [S2.4-in-use S3-default-status]", async () => {
      const slug = await api.server({ connector_id: builtIn.id });
      const { data } = await api.body(200, "GET", `/api/mcp-servers/${slug}`);
      assert.equal(data.description, builtIn.description);
      assert.equal(data.status, data.connection === null ? "draft" : "active");
      assert.ok(builtIn.auth_types.includes(data.auth_type));
      const other = await api.server({ connector_id: builtIn.id, description: "Ours", status: "draft" });
      const { data: own } = await api.body(200, "GET", `/api/mcp-servers/${other}`);
      assert.deepEqual([own.description, own.status], ["Ours", "draft"]);
    });

    it("400 for an unknown connector [S2.4-in-use]", async () => {
      const body = { name: "x", connector_id: api.unique("unknown") };
      await api.invalid("connector_id: connector not found", "POST", "/api/mcp-servers", body);
    });
  });
});
