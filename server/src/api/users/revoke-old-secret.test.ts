import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachApi } from "#test/api";
import { createMachineUser, createPerson } from "#test/factories";

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };

forEachApi(
  "POST /api/users/revoke-old-secret",
  (api) => {
    const path = (operation: string, email: string) => `/api/users/${operation}?email=${encodeURIComponent(email)}`;
    const status = async (credential: string) => (await api.service.mcp(credential, PING)).status;

    it("200 revokes the old secret immediately and keeps the new one", async () => {
      const bot = await createMachineUser(api.service, "bot");
      const rotated = await api.call("POST", path("rotate-secret", bot.email), { overlap_seconds: 3600 });
      const { client_id, secret } = rotated.body.credentials;
      assert.deepEqual([await status(bot.credential), await status(`${client_id}:${secret}`)], [200, 200]);
      const previous_secret_expires_at = new Date(api.clock.now() + 3_600_000).toISOString();
      const [row] = await api.auditOf(async () => {
        const answer = await api.call("POST", path("revoke-old-secret", bot.email.toUpperCase()));
        assert.deepEqual([answer.status, answer.body], [200, { data: rotated.body.data }]);
      });
      assert.deepEqual([await status(bot.credential), await status(`${client_id}:${secret}`)], [401, 200]);
      assert.deepEqual(
        [row?.operation, row?.before, row?.after],
        [
          "revokeOldSecret",
          { access_key: client_id, previous_secret_expires_at },
          { access_key: client_id, previous_secret_expires_at: null },
        ],
      );
    });

    it("200 without an old secret", async () => {
      const bot = await createMachineUser(api.service, "fresh");
      assert.equal((await api.call("POST", path("revoke-old-secret", bot.email))).status, 200);
      assert.equal(await status(bot.credential), 200);
    });

    it("400 for a person, 404 for an unknown email", async () => {
      await createPerson(api.service, "Ada", "ada@example.com");
      const message = "email: not a machine user: ada@example.com";
      await api.invalid(message, "POST", path("revoke-old-secret", "ada@example.com"));
      const error = "User not found: no@body.com";
      await api.expect(404, { error }, "POST", path("revoke-old-secret", "no@body.com"));
    });
  },
  { clock: "by-hand" },
);
