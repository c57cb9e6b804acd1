import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { sql } from "kysely";
import { forEachApi } from "#test/api";
import { type Browser, signedInAs } from "#test/browser";
import { createMachineUser, createPerson, type MachineUser } from "#test/factories";
import { GOOD_PASSWORD } from "#test/passwords";

const FIVE_MINUTES_MS = 5 * 60_000;

forEachApi(
  "POST /api/users/reveal-secret",
  (api) => {
    let admin: Browser;
    let bot: MachineUser;
    const path = (email: string) => `/api/users/reveal-secret?email=${encodeURIComponent(email)}`;
    const confirm = async (password = GOOD_PASSWORD) =>
      (await admin.api("POST", "/api/me/confirm-password", { password })).status;
    const reveal = (headers = {}) => admin.api("POST", path(bot.email.toUpperCase()), undefined, headers);
    const shown = (credentials: { client_id: string; secret: string }) =>
      `${credentials.client_id}:${credentials.secret}`;
    before(async () => {
      admin = await signedInAs(api.service, "admin");
      bot = await createMachineUser(api.service, "bot");
    });

    it("200 returns the current key without caching, with an audit entry each time (SEC-9)", async () => {
      assert.equal(await confirm(), 200);
      const rows = await api.auditOf(async () => {
        for (let n = 0; n < 2; n++) {
          const { status, body, headers } = await reveal();
          assert.deepEqual([status, shown(body.credentials)], [200, bot.credential]);
          assert.equal(headers["cache-control"], "no-store");
        }
      });
      const [access_key, secret = ""] = bot.credential.split(":");
      assert.deepEqual(
        rows.map((row) => [row.operation, row.actor_name, row.target_name, row.after]),
        Array.from({ length: 2 }, () => ["revealUserSecret", "admin@example.com", bot.email, { access_key }]),
      );
      assert.equal(JSON.stringify(await api.everything()).includes(secret), false);
      const rotated = await api.call("POST", `/api/users/rotate-secret?email=${bot.email}`);
      assert.deepEqual((await reveal()).body.credentials, rotated.body.credentials);
    });

    it("repeats an idempotent request without the secret (D34)", async () => {
      await confirm();
      const once = { "idempotency-key": "reveal" };
      assert.ok((await reveal(once)).body.credentials.secret);
      assert.deepEqual((await reveal(once)).body, {});
    });

    it("403 for API tokens, and without authentication in the last five minutes", async () => {
      const token = await api.call("POST", path(bot.email));
      assert.deepEqual(
        [token.status, token.body],
        [403, { error: "Insufficient permissions: requires a web session" }],
      );
      assert.equal(await confirm(), 200);
      api.clock.advance(FIVE_MINUTES_MS);
      assert.equal((await reveal()).status, 200);
      api.clock.advance(1);
      const error = "Fresh authentication required: confirm your password or sign in again";
      assert.deepEqual([(await reveal()).status, (await reveal()).body], [403, { error }]);
      assert.deepEqual([await confirm("wrong"), (await reveal()).status], [400, 403]);
      assert.deepEqual([await confirm(), (await reveal()).status], [200, 200]);
    });

    it("limits each person to ten secrets per minute", async () => {
      api.clock.advance(60_001);
      await confirm();
      for (let n = 0; n < 10; n++) assert.equal((await reveal()).status, 200);
      const { status, body, headers } = await reveal();
      const message = "email: you revealed too many secrets, try again in 60 seconds";
      assert.deepEqual([status, body.message, headers["retry-after"]], [400, message, "60"]);
      const other = await signedInAs(api.service, "owner");
      assert.equal((await other.api("POST", path(bot.email))).status, 200);
      api.clock.advance(60_001);
      assert.equal((await reveal()).status, 200);
    });

    it("400 for a person, 404 for an unknown email", async () => {
      await confirm();
      await createPerson(api.service, "Ada", "ada@example.com");
      const person = await admin.api("POST", path("ada@example.com"));
      assert.equal(person.body.message, "email: not a machine user: ada@example.com");
      const unknown = await admin.api("POST", path("no@body.com"));
      assert.deepEqual([unknown.status, unknown.body], [404, { error: "User not found: no@body.com" }]);
    });

    it("500 without a secret if the audit entry cannot be written", async () => {
      await confirm();
      await sql`alter table audit rename to lost_audit`.execute(api.db);
      const { status, body } = await reveal();
      await sql`alter table lost_audit rename to audit`.execute(api.db);
      assert.deepEqual([status, body], [500, { error: "Failed to reveal secret" }]);
    });

    describe("when machine_secret_reveal is off", () => {
      it("stores no copies of secrets until it is on again", async () => {
        await confirm();
        const copies = async () =>
          (await api.db.selectFrom("credentials").select("id").where("sealed_secret", "is not", null).execute()).length;
        const turn = async (machine_secret_reveal: boolean) => {
          const { body } = await api.call("PATCH", "/api/settings", { machine_secret_reveal });
          assert.equal(body.data.machine_secret_reveal, machine_secret_reveal);
        };
        await turn(false);
        await createMachineUser(api.service, "other");
        await api.call("POST", `/api/users/rotate-secret?email=${bot.email}`);
        assert.equal(await copies(), 0);
        assert.equal(
          (await reveal()).body.message,
          "email: the secret is not stored and cannot be revealed, rotate it instead",
        );
        await turn(true);
        assert.equal((await reveal()).status, 400);
        const { body } = await api.call("POST", `/api/users/rotate-secret?email=${bot.email}`);
        assert.deepEqual((await reveal()).body.credentials, body.credentials);
      });
    });
  },
  { clock: "by-hand" },
);
