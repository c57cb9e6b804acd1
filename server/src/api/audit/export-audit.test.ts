import assert from "node:assert/strict";
import { before, it } from "node:test";
import { forEachApi } from "#test/api";
import { createGroup } from "#test/factories";

const COUNT = 405;

forEachApi("GET /api/audit/export", (api) => {
  const lines = (text: string) => text.trimEnd().split("\n");
  const exported = async (query = "") => {
    const answer = await api.call("GET", `/api/audit/export${query}`);
    assert.equal(answer.status, 200, answer.text);
    return answer;
  };

  before(async () => {
    const entry = {
      actor_kind: "user",
      actor_id: "usr_1",
      actor_name: "=cmd()",
      request_id: "req",
      operation: "seeded",
    };
    const target = { target_kind: "group", target_id: "grp_1", target_name: "Seeded", before: null, after: { a: 1 } };
    const rows = Array.from({ length: COUNT }, (_, n) => ({ ...entry, ...target, id: `aud_${n}`, at: n >> 2 }));
    await api.db.insertInto("audit").values(rows).execute();
    await createGroup(api.service, "Engineering");
  });

  it("streams every matching entry once as JSON lines with the fields of the list", async () => {
    const answer = await exported("?operation=seeded");
    assert.equal(answer.headers["content-type"], "application/x-ndjson; charset=utf-8");
    assert.match(
      String(answer.headers["content-disposition"]),
      /^attachment; filename="gatehouse-audit-[\d-]+\.ndjson"$/,
    );
    const entries = lines(answer.text).map((line) => JSON.parse(line));
    assert.equal(new Set(entries.map(({ id }) => id)).size, COUNT);
    const listed = await api.call("GET", "/api/audit?operation=seeded&limit=3");
    assert.deepEqual(entries.slice(0, 3), listed.body.data);
  });

  it("exports CSV without formulas and applies the filters", async () => {
    const answer = await exported("?format=csv&operation=createGroup");
    assert.equal(answer.headers["content-type"], "text/csv; charset=utf-8");
    const [head = "", row = "", ...more] = lines(answer.text);
    assert.match(
      head,
      /^id,ts,actor_type,actor_id,actor_name,operation,target_type,target_id,target_name,before,after,/,
    );
    assert.match(row, /,createGroup,group,\w+,Engineering,,"\{""/);
    assert.deepEqual(more, []);
    assert.match((await exported("?format=csv&operation=seeded")).text, /,'=cmd\(\),seeded,/);
    assert.equal((await exported("?target=none")).text, "");
  });

  it("rejects an unknown format and an invalid time", async () => {
    await api.invalid("format: must be one of ndjson, csv", "GET", "/api/audit/export?format=xlsx");
    await api.invalid("from: must be an ISO 8601 timestamp", "GET", "/api/audit/export?from=x");
  });
});
