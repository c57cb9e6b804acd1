import assert from "node:assert/strict";
import { it } from "node:test";
import { sql } from "kysely";
import { forEachApi } from "#test/api";
import { createGroup, createServer } from "#test/factories";

forEachApi("a write during a concurrent deletion", (api, dialect) => {
  // SQLite has one writer at a time, so writes are never concurrent.
  if (dialect === "sqlite") return;

  it("is retried, and does not find a server that was deleted meanwhile", { timeout: 60_000 }, async () => {
    await createServer(api.service, "Victim");
    await createGroup(api.service, "Racers");
    const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<typeof api.call>>>();
    await api.db.transaction().execute(async (tx) => {
      await tx.deleteFrom("mcp_servers").where("slug", "=", "victim").execute();
      void api.call("POST", "/api/groups/racers/integrations", { slugs: ["victim"] }).then(resolve);
      const waiting = sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`;
      while ((await waiting.execute(tx)).rows[0]?.n === 0) await new Promise((again) => setTimeout(again, 10));
    });
    const { status, body } = await promise;
    assert.deepEqual([status, body], [400, { error: "Integrations not found: victim" }]);
  });
});
