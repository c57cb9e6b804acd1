import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bearer, forEachApi } from "#test/api";

const DAY_MS = 24 * 60 * 60 * 1000;

/** D34, API-7. */
forEachApi(
  "Idempotency-Key",
  (api) => {
    const post = (path: string, body: unknown, key: string, token = api.service.token) =>
      api.call("POST", path, body, { "idempotency-key": key, ...bearer(token) });
    const namesOf = async (table: "groups" | "mcp_servers" | "users", name: string) =>
      (await api.db.selectFrom(table).select("id").where("name", "=", name).execute()).length;

    it("replays the same status and body for the same request, and runs it once", async () => {
      const first = await post("/api/mcp-servers", { name: "Once" }, "k1");
      const again = await post("/api/mcp-servers", { name: "Once" }, "k1");
      assert.deepEqual([again.status, again.text], [201, first.text]);
      assert.equal(await namesOf("mcp_servers", "Once"), 1);
      const audits = await api.auditOf(() => post("/api/mcp-servers", { name: "Once" }, "k1"));
      assert.deepEqual(audits, []);
    });

    it("omits credentials from a replay, and does not store them", async () => {
      const body = { is_machine_user: true, name: "Keyed bot" };
      const first = await post("/api/users", body, "key-of-the-replayed-user");
      const again = await post("/api/users", body, "key-of-the-replayed-user");
      assert.deepEqual([again.status, again.body], [201, { data: first.body.data }]);
      const token = await post("/api/api-tokens", { name: "t", scopes: ["admin:read"] }, "k3");
      const tokenAgain = await post("/api/api-tokens", { name: "t", scopes: ["admin:read"] }, "k3");
      assert.deepEqual(tokenAgain.body, { data: token.body.data });
      const kept = JSON.stringify(await api.db.selectFrom("idempotency").selectAll().execute());
      for (const secret of [first.body.credentials.secret, token.body.token, "key-of-the-replayed-user"]) {
        assert.equal(kept.includes(secret), false);
      }
    });

    it("rejects the same key with another body or URL as a conflict", async () => {
      await post("/api/groups", { name: "Conflict" }, "k4");
      const message = "Idempotency-Key: was used with another request";
      for (const [path, body] of [
        ["/api/groups", { name: "Other" }],
        ["/api/mcp-servers", { name: "Conflict" }],
      ] as const) {
        const answer = await post(path, body, "k4");
        assert.deepEqual([answer.status, answer.body], [409, { code: "CONFLICT", message }]);
      }
      assert.equal(await namesOf("groups", "Other"), 0);
    });

    it("does not store an error, so that the corrected request can use the key", async () => {
      assert.equal((await post("/api/groups", {}, "k5")).status, 400);
      assert.equal((await post("/api/groups/nowhere/users", { emails: ["x"] }, "k5")).status, 404);
      assert.equal((await post("/api/groups", { name: "Fixed" }, "k5")).status, 201);
    });

    it("scopes a key to one API token", async () => {
      const { token } = await api.tokenWith("admin:write");
      const body = { name: "Scoped" };
      assert.equal((await post("/api/mcp-servers", body, "k6")).body.data.slug, "scoped");
      assert.equal((await post("/api/mcp-servers", body, "k6", token)).body.data.slug, "scoped-2");
    });

    it("accepts a key again after 24 hours", async () => {
      const body = { name: "Daily" };
      assert.equal((await post("/api/mcp-servers", body, "k7")).body.data.slug, "daily");
      api.clock.suspend(DAY_MS);
      assert.equal((await post("/api/mcp-servers", body, "k7")).body.data.slug, "daily");
      api.clock.advance(1);
      assert.equal((await post("/api/mcp-servers", body, "k7")).body.data.slug, "daily-2");
      assert.equal((await post("/api/mcp-servers", body, "k7")).body.data.slug, "daily-2");
    });

    describe("twenty concurrent requests with one key", () => {
      for (const [what, table, path, body] of [
        ["server", "mcp_servers", "/api/mcp-servers", { name: "Parallel" }],
        ["group", "groups", "/api/groups", { name: "Parallel" }],
        ["person", "users", "/api/users", { name: "Parallel", email: "parallel@example.com" }],
        ["machine user", "users", "/api/users", { name: "Parallel bot", is_machine_user: true }],
      ] as const) {
        it(`create one ${what} and get the same response`, async () => {
          const answers = await Promise.all(
            Array.from({ length: 20 }, () => post(path, body, `parallel ${what}`.replaceAll(" ", "-"))),
          );
          assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [201]);
          assert.equal(new Set(answers.map((answer) => JSON.stringify(answer.body.data))).size, 1);
          assert.equal(answers.filter((answer) => answer.body.credentials).length, what === "machine user" ? 1 : 0);
          assert.equal(await namesOf(table, body.name), 1);
        });
      }
    });

    it("requires a key of 1 to 255 visible characters, given once", async () => {
      const wrong = "Idempotency-Key: must be 1 to 255 visible characters";
      for (const key of ["", "x".repeat(256), "two words"]) {
        assert.deepEqual((await post("/api/groups", { name: "never" }, key)).body, {
          code: "INVALID_FORMAT",
          message: wrong,
        });
      }
      assert.equal((await post("/api/groups", { name: "longest key" }, "x".repeat(255))).status, 201);
      const twice = await api.service.http("/api/groups", {
        method: "POST",
        headers: {
          ...bearer(api.service.token),
          "content-type": "application/json",
          "idempotency-key": ["a", "a"],
        },
        body: '{"name":"never"}',
      });
      assert.equal(twice.body.message, "Idempotency-Key: must be given once");
      assert.equal(await namesOf("groups", "never"), 0);
    });

    it("ignores the key on methods other than POST", async () => {
      const headers = { "idempotency-key": "k8" };
      await api.call("PATCH", "/api/groups?name=fixed", { name: "Renamed" }, headers);
      assert.equal((await api.call("PATCH", "/api/groups?name=fixed", { name: "Renamed" }, headers)).status, 404);
    });
  },
  { clock: "by-hand" },
);
