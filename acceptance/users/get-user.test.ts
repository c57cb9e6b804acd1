import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachTarget } from "../kit/suite.ts";

/** An addition to the contract (decision 0052). */
forEachTarget("GET /api/users/{email}", (api) => {
  const pathOf = (email: string) => `/api/users/${encodeURIComponent(email)}`;

  it("returns people and machine users as the list does, without regard to case", async () => {
    for (const { email } of [await api.person(), await api.machineUser()]) {
      const { data: listed } = await api.body(200, "GET", `/api/users?search=${email}`);
      await api.expect(200, { data: listed[0] }, "GET", pathOf(email));
      await api.expect(200, { data: listed[0] }, "GET", pathOf(email.toUpperCase()));
    }
  });

  it("returns what creation with return=full returned, but no credentials", async () => {
    const body = { is_machine_user: true, name: api.unique("full") };
    const { data, credentials, ...rest } = await api.body(201, "POST", "/api/users?return=full", body);
    assert.deepEqual([rest, Object.keys(credentials).sort()], [{}, ["client_id", "secret"]]);
    await api.expect(200, { data }, "GET", pathOf(data.email));
    await api.invalid("return: must be one of full", "POST", "/api/users?return=all", body);
  });

  it("does not shadow fixed paths", async () => {
    const { email } = await api.person();
    for (const path of ["/api/users/clients", "/api/users/sessions"]) {
      await api.invalid("email query parameter is required", "GET", path);
      assert.deepEqual((await api.body(200, "GET", `${path}?email=${email}`)).data, []);
    }
  });

  it("404 for an unknown user, 400 for a blank email", async () => {
    const email = `${api.unique("none")}@example.com`;
    await api.expect(404, { error: `User not found: ${email}` }, "GET", pathOf(email));
    await api.invalid("email: email is required", "GET", "/api/users/%20");
  });

  it("requires the scope admin:read", async () => {
    const { email } = await api.person();
    for (const [scope, status] of [
      ["admin:read", 200],
      ["connect:read", 403],
    ] as const) {
      const headers = { authorization: `Bearer ${await api.tokenWith(scope)}` };
      assert.equal((await api.call("GET", pathOf(email), undefined, headers)).status, status);
    }
  });
});
