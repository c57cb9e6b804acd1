import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createLogger } from "#lib/logger";
import { readKeyFile } from "#storage/key-file";
import { openVault } from "#storage/open-vault";
import { forEachApi } from "#test/api";
import { createMachineUser, createPerson } from "#test/factories";
import { type Service, startService } from "#test/start-service";

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
const HOUR_MS = 60 * 60 * 1000;
const RANGE = "overlap_seconds: must be an integer from 0 to 604800";

forEachApi(
  "POST /api/users/rotate-secret",
  (api) => {
    const path = (email: string) => `/api/users/rotate-secret?email=${encodeURIComponent(email)}`;
    /** Returns the credential in the form that the gateway expects. */
    const rotate = async (email: string, body?: object) => {
      const answer = await api.call("POST", path(email), body);
      assert.equal(answer.status, 200, answer.text);
      const { client_id, secret } = answer.body.credentials;
      return `${client_id}:${secret}`;
    };
    const statuses = async (credentials: string[], service: Service = api.service) => {
      const answers = await Promise.all(credentials.map((credential) => service.mcp(credential, PING)));
      return answers.map((answer) => answer.status);
    };

    describe("200", () => {
      it("returns the user and, once, the same client_id with a new secret, which works immediately", async () => {
        const bot = await createMachineUser(api.service, "bot");
        const answer = await api.call("POST", path(bot.email.toUpperCase()), {});
        assert.deepEqual([answer.status, Object.keys(answer.body)], [200, ["data", "credentials"]]);
        assert.deepEqual(answer.body.data, (await api.call("GET", "/api/users?search=bot")).body.data[0]);
        const { client_id, secret } = answer.body.credentials;
        assert.equal(client_id, bot.credential.split(":")[0]);
        assert.deepEqual(await statuses([`${client_id}:${secret}`]), [200]);
      });

      it("revokes the old secret immediately without an overlap or without a body", async () => {
        const bot = await createMachineUser(api.service, "abrupt");
        let current = bot.credential;
        for (const body of [undefined, {}, { overlap_seconds: 0 }]) {
          assert.deepEqual(await statuses([current]), [200]);
          const next = await rotate(bot.email, body);
          assert.deepEqual(await statuses([current, next]), [401, 200]);
          current = next;
        }
      });

      it("keeps the old secret valid until the overlap ends (SEC-8)", async () => {
        const bot = await createMachineUser(api.service, "overlapping");
        const next = await rotate(bot.email, { overlap_seconds: 3600 });
        assert.deepEqual(await statuses([bot.credential, next, bot.credential]), [200, 200, 200]);
        api.clock.advance(HOUR_MS - 1);
        assert.deepEqual(await statuses([bot.credential, next]), [200, 200]);
        api.clock.advance(1);
        assert.deepEqual(await statuses([bot.credential, next]), [401, 200]);
      });

      it("revokes the oldest secret in a second rotation, so that at most two are valid", async () => {
        const bot = await createMachineUser(api.service, "impatient");
        const second = await rotate(bot.email, { overlap_seconds: 604_800 });
        const third = await rotate(bot.email, { overlap_seconds: 60 });
        assert.deepEqual(await statuses([bot.credential, second, third]), [401, 200, 200]);
        const fourth = await rotate(bot.email);
        assert.deepEqual(await statuses([second, third, fourth]), [401, 401, 200]);
      });

      it("leaves two valid secrets after ten concurrent rotations", async () => {
        const bot = await createMachineUser(api.service, "contested");
        const made = await Promise.all(Array.from({ length: 10 }, () => rotate(bot.email, { overlap_seconds: 60 })));
        const valid = (await statuses([bot.credential, ...made])).filter((status) => status === 200);
        assert.equal(valid.length, 2);
      });

      it("stores an encrypted copy of the new secret", async () => {
        const bot = await createMachineUser(api.service, "sealed");
        const next = await rotate(bot.email, { overlap_seconds: 60 });
        const { id, sealed_secret } = await api.db
          .selectFrom("credentials")
          .select(["id", "sealed_secret"])
          .where("user_id", "=", bot.id)
          .executeTakeFirstOrThrow();
        const key = readKeyFile(join(api.database.dataDir, "gatehouse.key"));
        const vault = await openVault(api.db, [key], { clock: api.clock, logger: createLogger("silent") });
        const place = { table: "credentials", row: id, column: "sealed_secret" };
        assert.equal(vault.open("machine-secret", place, sealed_secret ?? ""), next.split(":")[1]);
      });

      it("another replica accepts the new secret immediately and rejects the old one after the overlap (AUTH-7)", async () => {
        const bot = await createMachineUser(api.service, "everywhere");
        const other = await startService(api.database, { clock: api.clock });
        try {
          assert.deepEqual(await statuses([bot.credential], other), [200]);
          const next = await rotate(bot.email, { overlap_seconds: 60 });
          assert.deepEqual(await statuses([next, bot.credential], other), [200, 200]);
          api.clock.advance(60_000);
          assert.deepEqual(await statuses([next, bot.credential], other), [200, 401]);
        } finally {
          await other.close();
        }
      });

      it("repeats an idempotent request without another rotation and without credentials (D34)", async () => {
        const bot = await createMachineUser(api.service, "replayed");
        const headers = { "idempotency-key": "rotate-once" };
        const first = await api.call("POST", path(bot.email), {}, headers);
        const { client_id, secret } = first.body.credentials;
        const again = await api.call("POST", path(bot.email), {}, headers);
        assert.deepEqual([again.status, again.body], [200, { data: first.body.data }]);
        assert.deepEqual(await statuses([`${client_id}:${secret}`]), [200]);
        assert.doesNotMatch(JSON.stringify(await api.everything()), new RegExp(secret));
      });

      it("records when the old secret expires, without secrets", async () => {
        const bot = await createMachineUser(api.service, "audited");
        const [row] = await api.auditOf(() => rotate(bot.email, { overlap_seconds: 60 }));
        const previous_secret_expires_at = new Date(api.clock.now() + 60_000).toISOString();
        assert.deepEqual(row?.after, { access_key: bot.credential.split(":")[0], previous_secret_expires_at });
        const [abrupt] = await api.auditOf(() => rotate(bot.email));
        assert.deepEqual(Reflect.get(abrupt?.after ?? {}, "previous_secret_expires_at"), null);
      });
    });

    it("400 for a person, and for an invalid overlap", async () => {
      await createPerson(api.service, "Ada", "Ada@Example.com");
      const bot = await createMachineUser(api.service, "strict");
      await api.invalid("email: not a machine user: ada@example.com", "POST", path("ada@example.com"), {});
      await api.invalid("email query parameter is required", "POST", "/api/users/rotate-secret", {});
      for (const overlap_seconds of [-1, 0.5, 604_801, "60", null, true, [], 1e30]) {
        await api.invalid(RANGE, "POST", path(bot.email), { overlap_seconds });
      }
      await api.invalid("body: must be a JSON object", "POST", path(bot.email), []);
      assert.deepEqual(await statuses([bot.credential]), [200]);
    });

    it("404 repeats the email as given", async () => {
      await api.expect(404, { error: "User not found: No@Body.com" }, "POST", path("No@Body.com"), {});
    });
  },
  { clock: "by-hand" },
);
