import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachApi } from "#test/api";

forEachApi("GET /api/about", (api, dialect) => {
  it("tells release, runtime, database and which keys there are, and shows no key", async () => {
    const { status, body, text } = await api.call("GET", "/api/about");
    assert.equal(status, 200, text);
    const { version, node, database, data_keys } = body.data;
    assert.deepEqual([node, database], [process.versions.node, dialect]);
    assert.match(version, /^\d+\.\d+\.\d+$/);
    const rows = await api.db.selectFrom("vault_keys").selectAll().execute();
    assert.equal(data_keys.length, rows.length);
    for (const key of data_keys) {
      assert.deepEqual(Object.keys(key).sort(), ["created_at", "purpose", "version", "wrapped_by"]);
      assert.match(key.wrapped_by, /^[0-9a-f]{16}$/);
    }
  });
});
