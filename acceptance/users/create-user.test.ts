import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ISO_TIME, SLUG_FORMAT, SLUG_MESSAGE } from "../kit/contract.ts";
import { forEachTarget } from "../kit/suite.ts";

const PATH = "/api/users";

forEachTarget("POST /api/users", (api) => {
  const create = (body: object) => api.body(201, "POST", PATH, body);

  describe("people", () => {
    it("returns a person without credentials [S4.4-create-person S2.6-fields]", async () => {
      const email = `${api.unique("Ada")}@Example.com`;
      const { data, ...rest } = await create({ name: "Ada", email });
      assert.deepEqual(rest, {});
      assert.deepEqual([data.name, data.email, data.is_machine_user], ["Ada", email, false]);
      assert.equal(data.risk_score, null);
      for (const key of ["slug", "owner_ids", "client_credentials"]) assert.equal(key in data, false, key);
      assert.match(data.created_at, ISO_TIME);
      assert.match(data.updated_at, ISO_TIME);
    });

    it("400 without a name or email [S4.4-create-messages S2.6-email-required]", async () => {
      await api.invalid("name: name is required", "POST", PATH, { email: "a@example.com" });
      await api.invalid("name: name is required", "POST", PATH, {});
      for (const body of [{ name: "x" }, { name: "x", email: "" }, { name: "x", is_machine_user: false }]) {
        await api.invalid("email: email is required", "POST", PATH, body);
      }
    });

    it("400 for an invalid email [S4.4-create-messages]", async () => {
      for (const email of ["unknown", "a@b@example.com", "a b@example.com", "@example.com", "a@", "a@b"]) {
        await api.invalid("email: must be a valid email address", "POST", PATH, { name: "x", email });
      }
    });

    it("400 for an email that exists, without regard to case [S4.4-create-messages S2.6-email-unique]", async () => {
      const message = "email: user with this email already exists";
      const { email } = await api.person();
      await api.invalid(message, "POST", PATH, { name: "x", email });
      await api.invalid(message, "POST", PATH, { name: "x", email: email.toUpperCase() });
    });

    it("400 for fields of machine users [S4.4-create-messages S2.6-owners-machine-only]", async () => {
      const body = { name: "x", email: `${api.unique("x")}@example.com` };
      const message = "can only be set on machine users";
      await api.invalid(`owner_ids: owner_ids ${message}`, "POST", PATH, { ...body, owner_ids: [] });
      const path = "client_credentials: client_credentials";
      await api.invalid(`${path} ${message}`, "POST", PATH, { ...body, client_credentials: {} });
    });

    it("creates one user for twenty concurrent requests with the same email [API-8 S2.6-email-unique]", async () => {
      const email = `${api.unique("race")}@example.com`;
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          api.call("POST", PATH, { name: "x", email: i % 2 ? email : email.toUpperCase() }),
        ),
      );
      const statuses = answers.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [201, ...Array.from({ length: 19 }, () => 400)]);
    });
  });

  describe("machine users", () => {
    it("returns a machine user with credentials, a generated email, and a slug [S4.4-create-machine S2.6-email-generated S2.6-slug S2.7-credentials]", async () => {
      const slug = api.unique("bot");
      const { data, credentials, ...rest } = await create({ is_machine_user: true, name: "Bot", slug });
      assert.deepEqual(rest, {});
      assert.deepEqual([data.name, data.is_machine_user, data.slug], ["Bot", true, slug]);
      assert.deepEqual([data.group_ids, data.owner_ids], [[], []]);
      assert.match(data.email, new RegExp(`^${slug}@[a-z0-9.-]+$`));
      assert.deepEqual(Object.keys(credentials).sort(), ["client_id", "secret"]);
      for (const part of [credentials.client_id, credentials.secret]) assert.match(part, /^[^\s:]+$/);
      const { data: made } = await create({ is_machine_user: true, name: `Bot ${api.unique("n")}` });
      assert.match(made.slug, SLUG_FORMAT);
    });

    it("never returns the secret again [S2.7-once S8-secret-once S5.4-once]", async () => {
      const { data, credentials } = await create({ is_machine_user: true, name: api.unique("bot") });
      const later = [
        await api.call("GET", `${PATH}?search=${data.email}`),
        await api.call("PATCH", `${PATH}?email=${data.email}`, { name: "Changed" }),
      ];
      for (const { status, text } of later) {
        assert.equal(status, 200);
        assert.equal(text.includes(credentials.secret), false);
        assert.equal(text.includes("credentials"), false);
      }
    });

    it("accepts people as owners [S4.4-create-machine S2.6-owners]", async () => {
      const [a, b] = [await api.person(), await api.person()];
      const body = { is_machine_user: true, name: api.unique("bot") };
      const { data } = await create({ ...body, owner_ids: [a.id, b.id, a.id] });
      assert.deepEqual(data.owner_ids.toSorted(), [a.id, b.id].sort());
      await api.invalid("owner_ids: user not found: unknown", "POST", PATH, { ...body, owner_ids: ["unknown"] });
    });

    it("accepts complete client credentials, and never returns them [S4.4-create-machine S2.6-client-credentials]", async () => {
      const whole = { clientId: "id", clientSecret: "kept-to-ourselves", tokenUrl: "https://id.example.com/token" };
      const body = { is_machine_user: true, name: api.unique("bot") };
      const answer = await create({ ...body, client_credentials: whole });
      assert.equal(JSON.stringify(answer).includes(whole.clientSecret), false);
      for (const key of Object.keys(whole)) {
        const message = `client_credentials.${key}: ${key} is required`;
        const { [key as keyof typeof whole]: _left, ...rest } = whole;
        await api.invalid(message, "POST", PATH, { ...body, client_credentials: rest });
      }
    });

    it("400 without a name, and for an invalid slug [S4.4-create-messages S2.6-slug]", async () => {
      await api.invalid("name: name is required", "POST", PATH, { is_machine_user: true });
      await api.invalid(SLUG_MESSAGE, "POST", PATH, { is_machine_user: true, name: "x", slug: "-x" });
    });
  });
});
