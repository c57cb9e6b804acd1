import assert from "node:assert/strict";
import { it } from "node:test";
import { onSqliteApi } from "#test/api";
import { createMachineUser } from "#test/factories";

onSqliteApi("GET /api/about", (api, dialect) => {
  it("returns version, runtime, database, and data keys without key material", async () => {
    const { status, body, text } = await api.call("GET", "/api/about");
    assert.equal(status, 200, text);
    const { version, node, database, data_keys } = body.data;
    assert.deepEqual([node, database], [process.versions.node, dialect]);
    assert.match(version, /^\d+\.\d+\.\d+$/);
    const rows = await api.db.selectFrom("vault_keys").selectAll().execute();
    assert.equal(data_keys.length, rows.length);
    for (const key of data_keys) {
      assert.deepEqual(Object.keys(key).sort(), ["created_at", "purpose", "values", "version", "wrapped_by"]);
      assert.match(key.wrapped_by, /^[0-9a-f]{16}$/);
    }
  });

  it("counts the values of each key", async () => {
    const count = async () => {
      const { data_keys } = (await api.call("GET", "/api/about")).body.data;
      return new Map<string, number | null>(
        data_keys.map((key: { purpose: string; values: number | null }) => [key.purpose, key.values]),
      );
    };
    const before = await count();
    await createMachineUser(api.service, "bot");
    const after = await count();
    const grown = [...after].filter(([purpose, values]) => values !== before.get(purpose)).map(([purpose]) => purpose);
    assert.deepEqual(grown.sort(), ["machine-pepper", "machine-secret"]);
    assert.equal(after.get("call-payload"), null);
  });
});
