import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachTarget } from "../kit/suite.ts";

forEachTarget("email", (api) => {
  it("is off without a mail server, and invitations are links to copy [API-26]", async () => {
    const { data: status } = await api.body(200, "GET", "/api/email");
    if (status.enabled) return;
    assert.deepEqual([status.host, status.from, status.last_error], [null, null, null]);
    const email = `${api.unique("person")}@example.com`;
    await api.body(201, "POST", "/api/users", { name: "Invited", email });
    const invited = await api.body(201, "POST", `/api/users/invite?email=${email}`);
    assert.equal(invited.data.emailed_to, null);
    assert.match(invited.invite_url, /\/invite#/);
    await api.body(409, "POST", "/api/email/test", { to: email });
    const { data: emails } = await api.body(200, "GET", `/api/email/messages?recipient=${email}`);
    assert.deepEqual(emails, []);
  });
});
