import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isEmail } from "#lib/email";
import { forEachApi } from "#test/api";
import { createGroup, createPerson } from "#test/factories";

const TAKEN = "email: user with this email already exists";

forEachApi("POST /api/users", (api) => {
  const create = (body: object) => api.call("POST", "/api/users", body);
  const machine = (body: object) => create({ is_machine_user: true, ...body });

  describe("201, a person", () => {
    it("returns the user without credentials", async () => {
      const { status, body } = await create({ name: "Ada", email: "Ada@Example.com" });
      const { id, created_at, updated_at, ...rest } = body.data;
      assert.deepEqual([status, Object.keys(body)], [201, ["data"]]);
      assert.deepEqual(rest, {
        name: "Ada",
        email: "Ada@Example.com",
        is_machine_user: false,
        group_ids: [],
        external_id: null,
        provisioned_by: null,
        suspended: false,
        risk_score: null,
        role: "member",
        disabled: false,
      });
      assert.match(id, /^usr_/);
      assert.deepEqual([new Date(created_at).toISOString(), updated_at], [created_at, created_at]);
      assert.deepEqual(await api.db.selectFrom("credentials").selectAll().execute(), []);
    });

    it("treats is_machine_user false as a person, and ignores unknown fields (API-1)", async () => {
      const { data } = (
        await create({
          name: "Eve",
          email: "eve@example.com",
          is_machine_user: false,
          role: "admin",
          risk_score: 9,
          slug: "eve",
          id: "usr_mine",
          disabled: true,
        })
      ).body;
      assert.deepEqual([data.role, data.risk_score, data.disabled, "slug" in data], ["member", null, false, false]);
      assert.notEqual(data.id, "usr_mine");
    });

    it("auto-assigns people to groups, but not machine users (D15)", async () => {
      const group = await createGroup(api.service, "everybody", { settings: { auto_assign_users: true } });
      await createGroup(api.service, "servers only", { settings: { auto_assign_mcps: true } });
      const person = (await create({ name: "Joiner", email: "joiner@example.com" })).body.data;
      assert.deepEqual(person.group_ids, [group]);
      assert.deepEqual((await machine({ name: "Joiner" })).body.data.group_ids, []);
      await api.call("DELETE", "/api/groups?name=everybody");
    });
  });

  describe("return=full (decision 0052)", () => {
    const createFull = (body: object) => api.call("POST", "/api/users?return=full", body);

    it("returns a person as GET does", async () => {
      const { status, body } = await createFull({ name: "Full", email: "full@example.com" });
      assert.deepEqual([status, Object.keys(body)], [201, ["data"]]);
      await api.expect(200, body, "GET", "/api/users/full@example.com");
    });

    it("returns a machine user as GET does, and its credentials", async () => {
      const { status, body } = await createFull({ is_machine_user: true, name: "Full bot" });
      assert.deepEqual([status, Object.keys(body)], [201, ["data", "credentials"]]);
      assert.deepEqual(Object.keys(body.credentials), ["client_id", "secret"]);
      await api.expect(200, { data: body.data }, "GET", `/api/users/${body.data.email}`);
    });

    it("rejects other values (D9)", async () => {
      await api.invalid("return: must be one of full", "POST", "/api/users?return=all", {
        name: "x",
        email: "x@y.example",
      });
    });
  });

  describe("400, a person", () => {
    it("rejects an email that exists in another case", async () => {
      await create({ name: "a", email: "Größe@Example.com" });
      for (const email of ["größe@example.com", "GRÖßE@EXAMPLE.COM", "Gro\u0308ße@example.com"]) {
        await api.invalid(TAKEN, "POST", "/api/users", { name: "b", email });
      }
    });

    it("creates one user for twenty concurrent requests with one email", async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => create({ name: "c", email: i % 2 ? "c@example.com" : "C@EXAMPLE.COM" })),
      );
      assert.deepEqual(answers.map((answer) => answer.status).sort(), [201, ...Array(19).fill(400)]);
      for (const answer of answers) if (answer.status === 400) assert.equal(answer.body.message, TAKEN);
    });

    it("rejects the email of a machine user", async () => {
      const { email } = (await machine({ name: "Holder" })).body.data;
      await api.invalid(TAKEN, "POST", "/api/users", { name: "d", email });
    });
  });

  describe("201, a machine user", () => {
    it("returns the credentials once, and they work immediately (D19)", async () => {
      const { status, body } = await machine({ name: "Build Bot" });
      assert.equal(status, 201);
      assert.deepEqual(Object.keys(body.credentials).sort(), ["client_id", "secret"]);
      const { data } = body;
      assert.deepEqual(
        [data.slug, data.email, data.is_machine_user, data.owner_ids, data.name],
        ["build-bot", "build-bot@machine.example.com", true, [], "Build Bot"],
      );
      const { client_id, secret } = body.credentials;
      const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
      assert.equal((await api.service.mcp(`${client_id}:${secret}`, ping)).status, 200);
      const list = await api.call("GET", "/api/users?search=build");
      const patched = await api.call("PATCH", `/api/users?email=${data.email}`, { name: "Build bot" });
      for (const text of [list.text, patched.text, JSON.stringify(await api.everything())]) {
        assert.equal(text.includes(secret), false);
      }
      assert.equal(list.text.includes("credentials"), false);
    });

    it("ignores an email and derives it from the slug (D18)", async () => {
      const { data } = (await machine({ name: "Named", slug: "own-slug", email: "x@example.com" })).body;
      assert.deepEqual([data.slug, data.email], ["own-slug", "own-slug@machine.example.com"]);
    });

    it("appends a number if the slug or the email exists", async () => {
      const slugs = [];
      await createPerson(api.service, "In the way", "dup-2@machine.example.com");
      for (const body of [{ name: "Dup" }, { name: "Dup" }, { name: "x", slug: "dup" }]) {
        const { data } = (await machine(body)).body;
        assert.equal(data.email, `${data.slug}@machine.example.com`);
        slugs.push(data.slug);
      }
      assert.deepEqual(slugs, ["dup", "dup-3", "dup-4"]);
      assert.equal((await machine({ name: "日本語" })).body.data.slug, "machine");
      const long = (await machine({ name: "l".repeat(60) })).body.data.slug;
      const longer = (await machine({ name: "l".repeat(60) })).body.data.slug;
      assert.deepEqual([long, longer], ["l".repeat(40), `${"l".repeat(38)}-2`]);
    });

    it("creates fifty users for fifty concurrent requests with one name (API-8)", async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => machine({ name: "Race" })));
      assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [201]);
      const wanted = Array.from({ length: 50 }, (_, i) => (i === 0 ? "race" : `race-${i + 1}`));
      assert.deepEqual(answers.map((answer) => answer.body.data.slug).sort(), wanted.sort());
      assert.equal(new Set(answers.map((answer) => answer.body.credentials.client_id)).size, 50);
    });

    it("accepts only people as owners, without duplicates (D17)", async () => {
      const owner = await createPerson(api.service, "Owner", "owner@example.com");
      const { data } = (await machine({ name: "Owned", owner_ids: [owner, owner] })).body;
      assert.deepEqual(data.owner_ids, [owner]);
      await api.invalid(`owner_ids: user not found: ${data.id}`, "POST", "/api/users", {
        is_machine_user: true,
        name: "Owned by a machine",
        owner_ids: [owner, data.id],
      });
    });

    it("encrypts client credentials and never returns them", async () => {
      const clientSecret = "canary-client-secret";
      const client_credentials = { clientId: "id", clientSecret, tokenUrl: "https://idp.example.com/token" };
      const answer = await machine({ name: "OAuth bot", client_credentials });
      assert.equal(answer.status, 201);
      assert.doesNotMatch(answer.text, /canary|client_credentials|tokenUrl/);
      assert.doesNotMatch(JSON.stringify(await api.everything()), /canary/);
      const row = await api.db.selectFrom("users").selectAll().where("id", "=", answer.body.data.id).execute();
      assert.ok(row[0]?.sealed_client_credentials);
    });
  });

  describe("400, a machine user", () => {
    it("reports the first missing field of client credentials", async () => {
      const complete = { clientId: "id", clientSecret: "s", tokenUrl: "https://idp.example.com/token" };
      for (const key of ["clientId", "clientSecret", "tokenUrl"] as const) {
        for (const value of [undefined, "", " "]) {
          const client_credentials = { ...complete, [key]: value };
          const body = { is_machine_user: true, name: "x", client_credentials };
          await api.invalid(`client_credentials.${key}: ${key} is required`, "POST", "/api/users", body);
        }
      }
      const body = { is_machine_user: true, name: "x", client_credentials: "x" };
      await api.invalid("client_credentials: must be an object", "POST", "/api/users", body);
    });

    it("rejects owner_ids that are not a list of IDs", async () => {
      for (const [owner_ids, message] of [
        ["x", "owner_ids: must be an array"],
        [null, "owner_ids: must be an array"],
        [[1], "owner_ids.0: must be a string"],
        [["a\0b"], "owner_ids.0: must be well-formed text without NUL characters"],
        [Array(101).fill("x"), "owner_ids: must contain at most 100 IDs"],
      ] as const) {
        await api.invalid(message, "POST", "/api/users", { is_machine_user: true, name: "x", owner_ids });
      }
    });
  });

  it("a user created again after a deletion inherits nothing (AZ-7)", async () => {
    const id = await createPerson(api.service, "Again", "again@example.com");
    await createGroup(api.service, "again", { emails: ["again@example.com"] });
    const bot = (await machine({ name: "Inherits", owner_ids: [id] })).body.data;
    await api.call("PATCH", "/api/users?email=again@example.com", { risk_score: 50 });
    await api.db.deleteFrom("users").where("id", "=", id).execute();
    const { data } = (await create({ name: "Again", email: "again@example.com" })).body;
    assert.notEqual(data.id, id);
    assert.deepEqual([data.group_ids, data.risk_score], [[], null]);
    const [now] = (await api.call("GET", `/api/users?search=${bot.email}`)).body.data;
    assert.deepEqual(now.owner_ids, []);
  });
});

describe("an email", () => {
  it("is valid in all common forms", () => {
    for (const email of [
      "a@b.co",
      "first.last+tag@sub.example.com",
      "o'brien@example.com",
      "größe@bücher.example",
      "a@xn--bcher-kva.example",
      `${"x".repeat(64)}@example.com`,
    ]) {
      assert.ok(isEmail(email), email);
    }
  });

  it("is rejected if it is malformed or could break a header or a page", () => {
    for (const email of [
      "a",
      "@b.co",
      "a@",
      "a@b",
      "a@@b.co",
      "a@b@c.co",
      "a b@c.co",
      " a@b.co",
      "a@b.co\n",
      "a\r\nBcc: x@y.co",
      "<a@b.co>",
      "a@-b.co",
      "a@b-.co",
      "a@b..co",
      "a@.co",
      "a@b.co.",
      "a\0@b.co",
      "\ud800@b.co",
      "a\u202e@b.co",
      `${"x".repeat(65)}@example.com`,
      `a@${"x".repeat(250)}.co`,
    ]) {
      assert.ok(!isEmail(email), JSON.stringify(email));
    }
  });
});
