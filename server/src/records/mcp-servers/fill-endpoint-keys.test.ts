import assert from "node:assert/strict";
import { it } from "node:test";
import { endpointKey } from "#lib/web-url";
import type { McpServerRow } from "#storage/server-tables";
import { forEachDatabase } from "#test/databases";
import { fillEndpointKeys } from "./index.ts";

const SERVER: Omit<McpServerRow, "id" | "slug" | "upstream_url"> = {
  name: "",
  description: "",
  search_text: "",
  status: "active",
  connector_id: null,
  upstream_transport: "http",
  auth_type: "none",
  auth_settings: {},
  sealed_client_secret: null,
  is_local: false,
  eras: [],
  sync_tried_at: null,
  tools_synced_at: null,
  sync_error: null,
  tool_policy: "warn",
  created_at: 0,
  updated_at: 0,
};

forEachDatabase("endpoint keys", (open) => {
  it("are added or replaced where missing or outdated, and kept otherwise", async () => {
    const { main: db } = (await open()).databases;
    // More than one look, so that every page is seen.
    const many = Array.from({ length: 1_100 }, (_, i) => ({
      id: `srv_${String(i).padStart(4, "0")}`,
      url: `http://a/${i}`,
    }));
    for (let start = 0; start < many.length; start += 100) {
      const rows = many
        .slice(start, start + 100)
        .map(({ id, url }) => ({ ...SERVER, id, slug: id, upstream_url: url }));
      await db.insertInto("mcp_servers").values(rows).execute();
    }
    await db.updateTable("mcp_servers").set({ endpoint_key: "old" }).where("id", "=", "srv_0001").execute();
    await db
      .updateTable("mcp_servers")
      .set({ endpoint_key: "old", upstream_url: null })
      .where("id", "=", "srv_0002")
      .execute();
    for (let round = 1; round <= 2; round++) {
      await fillEndpointKeys(db);
      const rows = await db.selectFrom("mcp_servers").select(["upstream_url", "endpoint_key"]).execute();
      assert.equal(rows.length, 1_100);
      for (const row of rows) {
        assert.equal(row.endpoint_key, row.upstream_url === null ? null : endpointKey(row.upstream_url));
      }
    }
  });
});
