import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { bearer, forEachApi } from "#test/api";
import { testClock } from "#test/clock";
import { createMachineUser, createPerson } from "#test/factories";
import { startService } from "#test/start-service";

const POLL_MS = 500;

forEachApi("PATCH /api/users", (api) => {
  const patch = (email: string, body: object) =>
    api.call("PATCH", `/api/users?email=${encodeURIComponent(email)}`, body);
  let bot = "";
  let owners: string[] = [];
  before(async () => {
    await createPerson(api.service, "Ada", "Ada+1@Example.com");
    bot = (await createMachineUser(api.service, "bot")).email;
    owners = [
      await createPerson(api.service, "One", "one@example.com"),
      await createPerson(api.service, "Two", "two@example.com"),
    ];
  });

  describe("200", () => {
    it("finds the email without regard to case, and keeps omitted fields", async () => {
      await patch("ada+1@example.com", { risk_score: 12.5 });
      for (const body of [{}, { unknown: 1, email: "x@example.com", is_machine_user: true, slug: "x", id: "x" }]) {
        const { data } = (await patch("ADA+1@EXAMPLE.COM", body)).body;
        assert.deepEqual(
          [data.name, data.email, data.risk_score, data.is_machine_user, data.role],
          ["Ada", "Ada+1@Example.com", 12.5, false, "member"],
        );
      }
    });

    it("updates the search text with the name", async () => {
      assert.equal((await patch("one@example.com", { name: "Uno" })).body.data.name, "Uno");
      const found = async (text: string) => (await api.call("GET", `/api/users?search=${text}`)).body.data.length;
      assert.deepEqual([await found("uno"), await found("one@"), await found("ONE")], [1, 1, 1]);
    });

    it("accepts a risk_score from 0 to 100, and null to clear it", async () => {
      for (const risk_score of [0, 100, 0.1, 99.99, null, 7]) {
        assert.equal((await patch("two@example.com", { risk_score })).body.data.risk_score, risk_score);
        const [listed] = (await api.call("GET", "/api/users?search=two@")).body.data;
        assert.equal(listed.risk_score, risk_score);
      }
    });

    it("replaces all owners with owner_ids, and keeps them if omitted", async () => {
      for (const owner_ids of [owners.slice(0, 1), owners, owners.slice(1), [], owners]) {
        const { data } = (await patch(bot, { owner_ids })).body;
        assert.deepEqual(data.owner_ids.toSorted(), owner_ids.toSorted());
      }
      assert.deepEqual((await patch(bot, { name: "Bot" })).body.data.owner_ids.toSorted(), owners.toSorted());
      const repeated = (await patch(bot, { owner_ids: [owners[0], owners[0]] })).body.data;
      assert.deepEqual(repeated.owner_ids, owners.slice(0, 1));
    });
  });

  describe("external_id", () => {
    it("is set, kept, and removed with null, and is unique among people and among machine users", async () => {
      assert.equal((await patch("one@example.com", {})).body.data.external_id, null);
      assert.equal((await patch("one@example.com", { external_id: "00u1" })).body.data.external_id, "00u1");
      assert.equal((await patch("one@example.com", { risk_score: 1 })).body.data.external_id, "00u1");
      const taken = await patch("two@example.com", { external_id: "00u1" });
      assert.equal(taken.status, 400);
      assert.equal(taken.body.message, "external_id: user with this external_id already exists");
      assert.equal((await patch(bot, { external_id: "00u1" })).body.data.external_id, "00u1");
      assert.equal((await patch("two@example.com", { external_id: "00U1" })).body.data.external_id, "00U1");
      assert.equal((await patch("one@example.com", { external_id: null })).body.data.external_id, null);
      for (const external_id of ["", "  ", 7, "x".repeat(256), "a\u0000b"]) {
        assert.equal((await patch("one@example.com", { external_id })).status, 400);
      }
    });

    it("can be set on creation, and a taken one is rejected for both kinds", async () => {
      const machine = { is_machine_user: true, name: "Worker", external_id: "repo:acme/app" };
      const person = { name: "Eve", email: "eve@example.com", external_id: "repo:acme/app" };
      assert.equal((await api.call("POST", "/api/users", machine)).body.data.external_id, "repo:acme/app");
      assert.equal((await api.call("POST", "/api/users", person)).body.data.external_id, "repo:acme/app");
      const again = [
        await api.call("POST", "/api/users", machine),
        await api.call("POST", "/api/users", { ...person, email: "e2@example.com" }),
      ];
      for (const { status, body } of again) {
        assert.deepEqual([status, body.message], [400, "external_id: user with this external_id already exists"]);
      }
    });

    it("requires the scope all for people", async () => {
      const token = (await api.tokenWith("admin:write")).token;
      const change = (email: string) =>
        api.call("PATCH", `/api/users?email=${email}`, { external_id: "x1" }, bearer(token));
      assert.equal((await change("one@example.com")).status, 403);
      assert.equal((await change(bot)).status, 200);
    });
  });

  describe("disabled", () => {
    const ping = (credential: string, service = api.service) =>
      service.mcp(credential, { jsonrpc: "2.0", id: 1, method: "ping" }).then((answer) => answer.status);

    it("disables and enables a machine user's key immediately", async () => {
      const { email, credential } = await createMachineUser(api.service, "switched");
      assert.equal(await ping(credential), 200);
      for (const [disabled, status] of [
        [true, 401],
        [true, 401],
        [false, 200],
      ] as const) {
        assert.equal((await patch(email, { disabled })).body.data.disabled, disabled);
        assert.equal((await patch(email, { name: "Switched" })).body.data.disabled, disabled);
        assert.equal(await ping(credential), status);
      }
    });

    it("takes effect at another replica after it polls for changes (AUTH-7)", async () => {
      const { email, credential } = await createMachineUser(api.service, "elsewhere");
      const clock = testClock();
      const other = await startService(api.database, { clock });
      try {
        assert.equal(await ping(credential, other), 200);
        for (const [disabled, status] of [
          [true, 401],
          [false, 200],
        ] as const) {
          await patch(email, { disabled });
          clock.advance(POLL_MS);
          // The poll reads the database, which the test clock does not control.
          for (let looks = 0; looks < 1_000 && (await ping(credential, other)) !== status; looks++) await sleep(10);
          assert.equal(await ping(credential, other), status);
        }
      } finally {
        await other.close();
      }
    });

    it("must be true or false", async () => {
      for (const disabled of [null, "true", 1]) {
        await api.invalid("disabled: must be true or false", "PATCH", "/api/users?email=two@example.com", { disabled });
      }
    });
  });

  describe("role", () => {
    it("changes a person to admin and back to member", async () => {
      for (const role of ["admin", "admin", "member"]) {
        assert.equal((await patch("two@example.com", { role })).body.data.role, role);
        assert.equal((await patch("two@example.com", { name: "Two" })).body.data.role, role);
      }
    });

    it("requires the scope all for a change (decision 0009)", async () => {
      const { token } = await api.tokenWith("admin:write");
      const asWriter = (role: string) =>
        api.call("PATCH", "/api/users?email=two@example.com", { name: "never", role }, bearer(token));
      const refused = await asWriter("admin");
      assert.deepEqual([refused.status, refused.body], [403, { error: "Insufficient permissions: requires all" }]);
      assert.equal((await patch("two@example.com", {})).body.data.name, "Two");
      assert.equal((await asWriter("member")).status, 200);
    });

    it("must be one of four values, and is rejected for machine users", async () => {
      for (const role of [null, "Owner", "root", 1]) {
        const message = "role: must be one of owner, admin, auditor, member";
        await api.invalid(message, "PATCH", "/api/users?email=two@example.com", { role });
      }
      for (const role of ["admin", "member"]) {
        await api.invalid("role: role can only be set on people", "PATCH", `/api/users?email=${bot}`, { role });
      }
    });
  });

  describe("400", () => {
    it("rejects a risk_score out of range or of another type", async () => {
      for (const value of ["-0.1", "100.1", "1e999", '"5"', "true", "[]", "{}"]) {
        const answer = await api.service.http("/api/users?email=two@example.com", {
          method: "PATCH",
          headers: { authorization: `Bearer ${api.service.token}`, "content-type": "application/json" },
          body: `{"risk_score":${value}}`,
        });
        const message = "risk_score: must be a number from 0 to 100, or null";
        assert.deepEqual([answer.status, answer.body], [400, { code: "INVALID_FORMAT", message }], value);
      }
    });

    it("rejects an unknown owner and keeps the current owners", async () => {
      await patch(bot, { owner_ids: owners });
      const path = `/api/users?email=${bot}`;
      const body = { name: "never", owner_ids: [owners[0], "usr_x", "usr_y"] };
      await api.invalid("owner_ids: user not found: usr_x", "PATCH", path, body);
      const { id } = (await patch(bot, {})).body.data;
      await api.invalid(`owner_ids: user not found: ${id}`, "PATCH", path, { owner_ids: [id] });
      await api.invalid("owner_ids: must be an array", "PATCH", path, { owner_ids: null });
      const nul = "owner_ids.0: must be well-formed text without NUL characters";
      await api.invalid(nul, "PATCH", path, { owner_ids: ["\0"] });
      const [now] = (await api.call("GET", `/api/users?search=${bot}`)).body.data;
      assert.deepEqual([now.name, now.owner_ids.length], ["Bot", 2]);
    });
  });

  it("404 repeats the email as given", async () => {
    await api.expect(404, { error: "User not found: Nobody@X" }, "PATCH", "/api/users?email=Nobody@X", {});
    // An unencoded plus sign in a query is a space.
    await api.expect(
      404,
      { error: "User not found: ada 1@example.com" },
      "PATCH",
      "/api/users?email=ada+1@example.com",
      {},
    );
  });
});
