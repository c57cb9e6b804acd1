import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachApi } from "#test/api";
import { createMachineUser, createPerson } from "#test/factories";

const CLIENT = { clientId: "bot", clientSecret: "s3cr3t-of-bot", tokenUrl: "https://idp.example.com/token" };

forEachApi(
  "PUT /api/users/client-credentials",
  (api) => {
    const path = (email: string) => `/api/users/client-credentials?email=${encodeURIComponent(email)}`;

    it("200 sets, replaces, and removes the OAuth client, and audits it without the secret", async () => {
      const bot = await createMachineUser(api.service, "bot");
      const shown = (clientId: string) => ({
        client_credentials: { client_id: clientId, token_url: CLIENT.tokenUrl },
      });
      const none = { client_credentials: null };
      const steps = [
        [CLIENT, none, shown("bot")],
        [{ ...CLIENT, clientId: "other" }, shown("bot"), shown("other")],
        [null, shown("other"), none],
      ] as const;
      for (const [client_credentials, before, after] of steps) {
        const [row, ...more] = await api.auditOf(async () => {
          const answer = await api.call("PUT", path(bot.email.toUpperCase()), { client_credentials });
          assert.deepEqual([answer.status, answer.body.data.email], [200, bot.email]);
          assert.doesNotMatch(answer.text, /s3cr3t|client_credentials/);
        });
        assert.deepEqual(more, []);
        assert.deepEqual([row?.operation, row?.before, row?.after], ["setClientCredentials", before, after]);
      }
    });

    it("400 for a person and for an incomplete client, 404 for an unknown email", async () => {
      await createPerson(api.service, "Ada", "ada@example.com");
      const bot = await createMachineUser(api.service, "whole");
      const body = { client_credentials: CLIENT };
      await api.invalid("email: not a machine user: ada@example.com", "PUT", path("ada@example.com"), body);
      await api.expect(404, { error: "User not found: no@body.com" }, "PUT", path("no@body.com"), body);
      const { clientSecret: _secret, ...rest } = CLIENT;
      const missing = "client_credentials.clientSecret: clientSecret is required";
      await api.invalid(missing, "PUT", path(bot.email), { client_credentials: rest });
      await api.invalid("client_credentials: must be an object", "PUT", path(bot.email), {});
    });
  },
  { clock: "by-hand" },
);
