import assert from "node:assert/strict";
import { it } from "node:test";
import { bearer, forEachApi } from "#test/api";
import { reported } from "#test/discovery-report";

forEachApi(
  "the API token of a report",
  (api) => {
    const send = async (token: string, device: string) => {
      const headers = { ...bearer(token), "content-type": "application/json" };
      const scanned_at = new Date(api.clock.now()).toISOString();
      const body = JSON.stringify(reported(device, { scanned_at }));
      const answer = await api.service.http("/api/ai-discovery/reports", { method: "POST", headers, body });
      return answer.status;
    };
    const isKnown = async (hostname: string) => {
      const { body } = await api.call("GET", "/api/ai-discovery/devices?limit=200");
      return body.data.some((device: { hostname: string }) => device.hostname === `${hostname}.local`);
    };

    it("is rejected as soon as it is deleted, and stores nothing", async () => {
      const { id, token } = await api.tokenWith("discovery:ingest");
      assert.equal(await send(token, "before-deletion"), 200);
      await api.call("DELETE", `/api/api-tokens?id=${id}`);
      assert.equal(await send(token, "after-deletion"), 401);
      assert.deepEqual([await isKnown("before-deletion"), await isKnown("after-deletion")], [true, false]);
    });

    it("is rejected as soon as it expires", async () => {
      const { id, token } = await api.tokenWith("discovery:ingest");
      assert.equal(await send(token, "before-expiry"), 200);
      const expired = { expires_at: api.clock.now() };
      await api.db.updateTable("api_tokens").set(expired).where("id", "=", id).execute();
      assert.equal(await send(token, "after-expiry"), 401);
      assert.equal(await isKnown("after-expiry"), false);
    });

    it("does not reject reports with other tokens that are stored with it", async () => {
      const deleted = await api.tokenWith("discovery:ingest");
      const { token } = await api.tokenWith("discovery:ingest");
      assert.deepEqual([await send(deleted.token, "with-deleted"), await send(token, "with-other")], [200, 200]);
      await api.call("DELETE", `/api/api-tokens?id=${deleted.id}`);
      const statuses = await Promise.all([
        send(token, "together-1"),
        send(deleted.token, "together-2"),
        send(token, "together-3"),
      ]);
      assert.deepEqual(statuses, [200, 401, 200]);
      assert.deepEqual([await isKnown("together-2"), await isKnown("together-3")], [false, true]);
    });

    it("is looked up again after some seconds, so that its last use is stored", async () => {
      const { id, token } = await api.tokenWith("discovery:ingest");
      const lastUsed = async () => {
        const { last_used_at } = await api.db
          .selectFrom("api_tokens")
          .select("last_used_at")
          .where("id", "=", id)
          .executeTakeFirstOrThrow();
        return last_used_at;
      };
      await send(token, "used");
      const first = await lastUsed();
      api.clock.advance(60_000);
      await send(token, "used");
      assert.equal(await lastUsed(), (first ?? 0) + 60_000);
    });
  },
  { clock: "by-hand" },
);
