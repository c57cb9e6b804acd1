import assert from "node:assert/strict";
import { it } from "node:test";
import { systemClock } from "#lib/clock";
import type { MainDb } from "#storage/database";
import { WriteTrail } from "#storage/transaction";
import { forEachDatabase } from "#test/databases";
import { userRow } from "#test/example-replica";
import { insertServer, serverIdsDueForSync } from "./index.ts";

const DUE = { failedBefore: 900, readBefore: 500 };

forEachDatabase("servers that are due for a sync", (open) => {
  const add = (db: MainDb, id: string, tried: number | null, error: string | null, rest: object = {}) =>
    db.transaction().execute((tx) =>
      insertServer(tx, new WriteTrail(), {
        id,
        slug: id,
        name: id,
        description: "",
        search_text: id,
        status: "active",
        connector_id: null,
        upstream_url: "http://127.0.0.1:1/mcp",
        upstream_transport: "http",
        auth_type: "none",
        auth_settings: {},
        sealed_client_secret: null,
        is_local: false,
        eras: [],
        sync_tried_at: tried,
        tools_synced_at: null,
        sync_error: error,
        tool_policy: "warn",
        created_at: systemClock.now(),
        updated_at: systemClock.now(),
        ...rest,
      }),
    );

  it("lists never synced servers first, then the oldest; failed ones sooner than successful ones", async () => {
    const { main: db } = (await open()).databases;
    await add(db, "failed-long-ago", 600, "dead");
    await add(db, "failed-now", 950, "dead");
    await add(db, "good-long-ago", 400, null);
    await add(db, "good-lately", 600, null);
    await add(db, "new", null, null);
    await add(db, "without-upstream", null, null, { upstream_url: null });
    await add(db, "with-credentials", null, null, { auth_type: "proxy-oauth" });
    await db.insertInto("users").values(userRow("usr_sync")).execute();
    await add(db, "with-identity", 300, null, { auth_type: "proxy-oauth", sync_user_id: "usr_sync" });
    await add(db, "local", 400, null, { is_local: true });
    await add(db, "local-failed", 700, "dead", { is_local: true });
    const due = ["new", "with-identity", "good-long-ago", "failed-long-ago", "local-failed"];
    assert.deepEqual(await serverIdsDueForSync(db, DUE, 10), due);
    assert.deepEqual(await serverIdsDueForSync(db, DUE, 1), ["new"]);
  });
});
