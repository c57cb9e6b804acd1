import assert from "node:assert/strict";
import { it } from "node:test";
import { sql } from "kysely";
import { forEachDatabase } from "#test/databases";
import { buildDeferredIndexes } from "./deferred-indexes.ts";

forEachDatabase("deferred indexes", (open, dialect) => {
  const plan = async (db: Awaited<ReturnType<typeof open>>["databases"], where: string) => {
    const explain = dialect === "sqlite" ? "EXPLAIN QUERY PLAN" : "EXPLAIN";
    // Postgres reads a small table completely unless that is disabled.
    return db.calls.connection().execute(async (connection) => {
      if (dialect === "postgres") await sql`SET enable_seqscan = off`.execute(connection);
      const { rows } = await sql.raw(`${explain} select * from calls where ${where}`).execute(connection);
      return JSON.stringify(rows);
    });
  };

  it("find calls by request ID and trace ID", async () => {
    const { databases } = await open();
    const { signal } = new AbortController();
    await buildDeferredIndexes(databases, signal);
    await buildDeferredIndexes(databases, signal);
    assert.match(await plan(databases, "request_id = 'req_1'"), /calls_request/);
    assert.match(await plan(databases, "trace_id = 'abc'"), /calls_trace/);
  });

  it("are not built after the runner has stopped", async () => {
    const { databases } = await open();
    const canceled = new AbortController();
    canceled.abort();
    await buildDeferredIndexes(databases, canceled.signal);
    assert.doesNotMatch(await plan(databases, "request_id = 'req_1'"), /calls_request/);
  });

  if (dialect === "postgres") {
    it("are built again after an interrupted build", async () => {
      const { databases } = await open();
      const { signal } = new AbortController();
      await buildDeferredIndexes(databases, signal);
      const validity = sql<{ indisvalid: boolean }>`
        select indisvalid from pg_index where indexrelid = to_regclass('calls_request')`;
      await sql`UPDATE pg_index SET indisvalid = false WHERE indexrelid = to_regclass('calls_request')`.execute(
        databases.calls,
      );
      await buildDeferredIndexes(databases, signal);
      assert.deepEqual((await validity.execute(databases.calls)).rows, [{ indisvalid: true }]);
    });
  }
});
