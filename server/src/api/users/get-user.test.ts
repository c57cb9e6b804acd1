import assert from "node:assert/strict";
import { before, it } from "node:test";
import { operations } from "#api/operations";
import { forEachApi } from "#test/api";
import { createGroup, createMachineUser, createPerson } from "#test/factories";

forEachApi("GET /api/users/{email}", (api) => {
  const pathOf = (email: string) => `/api/users/${encodeURIComponent(email)}`;
  before(async () => {
    await createPerson(api.service, "Ada", "Ada+test@Example.com");
    await createMachineUser(api.service, "ci-bot");
    await createGroup(api.service, "Crew", { emails: ["ada+test@example.com", "ci-bot@machine.example.com"] });
  });

  it("returns people and machine users exactly as the list does, without credentials", async () => {
    const { data } = (await api.call("GET", "/api/users")).body;
    assert.equal(data.length, 2);
    for (const listed of data) {
      assert.equal(listed.group_ids.length, 1);
      await api.expect(200, { data: listed }, "GET", pathOf(listed.email));
    }
  });

  it("finds the email without regard to case, encoded or not", async () => {
    for (const path of [pathOf("ADA+TEST@EXAMPLE.COM"), "/api/users/ada+test@example.com"]) {
      assert.equal((await api.call("GET", path)).body.data.email, "Ada+test@Example.com");
    }
  });

  it("gives fixed paths precedence", async () => {
    const fixed = operations.filter(({ route }) => /^GET \/api\/users\/[^{]+$/.test(route));
    assert.deepEqual(
      fixed.map(({ route }) => route),
      ["GET /api/users/clients", "GET /api/users/sessions"],
    );
    for (const { route } of fixed) {
      await api.invalid("email query parameter is required", "GET", route.replace("GET ", ""));
    }
  });

  it("404 for an unknown user, and for a path without an email", async () => {
    await api.expect(404, { error: "User not found: nobody@example.com" }, "GET", pathOf("nobody@example.com"));
    await api.expect(404, { error: "User not found: invite" }, "GET", "/api/users/invite");
    await api.expect(404, { error: "Not found" }, "GET", "/api/users/");
  });

  it("400 for a blank email and for NUL", async () => {
    await api.invalid("email: email is required", "GET", "/api/users/%20");
    await api.invalid("email: must be well-formed text without NUL characters", "GET", "/api/users/a%00");
  });
});
