import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { forEachApi } from "#test/api";
import { createSyncedServer } from "#test/factories";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const INPUT = { type: "object", properties: { id: { type: "integer", maximum: 5 } }, required: ["id"] };
const OUTPUT = { type: "object", properties: { title: { type: "string" } } };

forEachApi("GET /api/mcp-servers/{slug}/tools/definition", (api) => {
  let upstream: RawUpstream;
  before(async () => {
    upstream = await startRawUpstream({
      tools: [
        {
          name: "get issue",
          title: "Get",
          inputSchema: INPUT,
          outputSchema: OUTPUT,
          annotations: { readOnlyHint: true },
        },
        { name: "plain", inputSchema: { type: "object" } },
      ],
    });
    await createSyncedServer(api.service, "Tracker", upstream.url);
  });
  after(() => upstream.close());
  const path = (tool: string) => `/api/mcp-servers/tracker/tools/definition?tool=${tool}`;

  it("returns schemas, names, and annotations of a tool", async () => {
    const [first] = (await api.call("GET", "/api/mcp-servers/tracker")).body.data.all_tools;
    const { data } = (await api.call("GET", path(first.slug))).body;
    const { input_schema, output_schema, gateway_name, ...rest } = data;
    assert.deepEqual([input_schema, output_schema], [INPUT, OUTPUT]);
    assert.deepEqual([rest.upstream_name, gateway_name], ["get issue", `tracker__${first.slug}`]);
    assert.deepEqual(rest, first);
    assert.equal(rest.hints.read_only, true);
  });

  it("returns null for a missing output schema, also of a disabled tool", async () => {
    await api.call("PATCH", "/api/mcp-servers/tools?slug=tracker", { disable: ["plain"] });
    const { data } = (await api.call("GET", path("plain"))).body;
    assert.deepEqual([data.enabled, data.input_schema, data.output_schema], [false, { type: "object" }, null]);
  });

  it("responds with 400 for an unknown tool and 404 for an unknown server", async () => {
    await api.expect(400, { error: "Tools not found: nothing" }, "GET", path("nothing"));
    await api.expect(404, { error: "MCP server not found" }, "GET", "/api/mcp-servers/no/tools/definition?tool=plain");
  });
});
