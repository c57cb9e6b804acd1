import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { bearer, forEachApi } from "#test/api";
import { createGroup, createPerson } from "#test/factories";

forEachApi(
  "GET /api/audit",
  (api) => {
    const list = async (query = "") => {
      const answer = await api.call("GET", `/api/audit${query}`);
      assert.equal(answer.status, 200, answer.text);
      return answer.body;
    };
    const operationsOf = async (query: string): Promise<string[]> =>
      (await list(query)).data.map((entry: { operation: string }) => entry.operation);
    let groupId: string;
    let ci: { id: string; token: string };
    let requestId: unknown;

    before(async () => {
      ci = await api.tokenWith("admin:write");
      api.clock.advance(1_000);
      groupId = await createGroup(api.service, "Engineering");
      api.clock.advance(1_000);
      await createPerson(api.service, "Ada", "ada@example.com");
      api.clock.advance(1_000);
      const body = { settings: { show_draft_mcps: true } };
      const answer = await api.call("PATCH", "/api/groups?name=engineering", body, bearer(ci.token));
      requestId = answer.headers["x-request-id"];
      assert.equal(answer.status, 200, answer.text);
      api.clock.advance(1_000);
      await api.call("PATCH", "/api/groups?name=engineering", { name: "Design" });
      api.clock.advance(1_000);
      assert.equal((await api.call("DELETE", "/api/groups?name=design")).status, 200);
    });

    describe("200", () => {
      it("lists entries newest first with actor, target, time, and states before and after", async () => {
        const { data, pagination } = await list();
        assert.deepEqual(pagination, { limit: 100, hasMore: false, nextCursor: null });
        assert.deepEqual(
          data.map((entry: { operation: string }) => entry.operation),
          [
            "deleteGroup",
            "updateGroup",
            "updateGroup",
            "createUser",
            "createGroup",
            "createApiToken",
            "createApiToken",
          ],
        );
        const { id, before, after, hash, ...rest } = data[2];
        assert.match(hash, /^[0-9a-f]{64}$/);
        assert.match(id, /^aud_/);
        assert.deepEqual(rest, {
          ts: "2026-01-01T00:00:03.000Z",
          actor: { type: "api-token", id: ci.id, name: "admin:write" },
          operation: "updateGroup",
          target: { type: "group", id: groupId, name: "Engineering" },
          request_id: requestId,
          ip: "127.0.0.1",
          seq: 5,
        });
        assert.deepEqual([before.settings.show_draft_mcps, after.settings.show_draft_mcps], [false, true]);
        assert.deepEqual([data[0].after, data[4].before], [null, null]);
      });

      it("applies each filter and combinations of filters", async () => {
        for (const [query, wanted] of [
          ["?operation=createUser", ["createUser"]],
          [`?actor=${ci.id}`, ["updateGroup"]],
          ["?actor=admin:write", ["updateGroup"]],
          ["?target_type=group", ["deleteGroup", "updateGroup", "updateGroup", "createGroup"]],
          [`?target=${groupId}`, ["deleteGroup", "updateGroup", "updateGroup", "createGroup"]],
          ["?target=Design", ["deleteGroup", "updateGroup"]],
          ["?target=ada@example.com&target_type=user", ["createUser"]],
          ["?target=ada@example.com&target_type=group", []],
          ["?from=2026-01-01T00:00:02Z&to=2026-01-01T00:00:04Z", ["updateGroup", "createUser"]],
          ["?to=2026-01-01T00:00:01Z", ["createApiToken", "createApiToken"]],
          ["?operation=%25", []],
        ] as const) {
          assert.deepEqual(await operationsOf(query), wanted, query);
        }
      });

      it("returns every entry once across pages while new entries arrive", async () => {
        const wanted = await operationsOf("?target_type=group");
        const walked: string[] = [];
        let cursor: string | null = "";
        for (let page = 0; cursor !== null; page++) {
          const { data, pagination } = await list(`?target_type=group&limit=1${cursor && `&cursor=${cursor}`}`);
          walked.push(...data.map((entry: { operation: string }) => entry.operation));
          assert.equal(pagination.hasMore, pagination.nextCursor !== null);
          cursor = pagination.nextCursor;
          api.clock.advance(1_000);
          await createGroup(api.service, `Late ${page}`);
        }
        assert.deepEqual(walked, wanted);
      });
    });

    it("rejects an invalid cursor and an invalid time with 400", async () => {
      for (const cursor of ["", "x", Buffer.from("1.2").toString("base64url")]) {
        const message = "cursor: must be a cursor from an earlier answer";
        await api.invalid(message, "GET", `/api/audit?cursor=${cursor}`);
      }
      await api.invalid("from: must be an ISO 8601 timestamp", "GET", "/api/audit?from=yesterday");
    });

    it("rejects methods that would change it", async () => {
      for (const method of ["POST", "PATCH", "DELETE"]) {
        assert.equal((await api.call(method, "/api/audit")).status, 405);
      }
    });
  },
  { clock: "by-hand" },
);
