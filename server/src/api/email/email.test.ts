import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { setEmailEnabled } from "#records/emails";
import { forEachApi } from "#test/api";
import { createPerson } from "#test/factories";

forEachApi("email operations (API-26)", (api) => {
  before(async () => {
    await createPerson(api.service, "Ada", "ada@example.com");
  });
  after(() => setEmailEnabled(api.db, false));

  it("report that the installation has no mail server", async () => {
    const { data } = (await api.call("GET", "/api/email")).body;
    assert.deepEqual([data.enabled, data.host, data.pending], [false, null, 0]);
  });

  it("reject a test email without a mail server, and to strangers", async () => {
    const error = "This installation has no mail server. Set SMTP_HOST and SMTP_FROM";
    const answer = await api.call("POST", "/api/email/test", { to: "ada@example.com" });
    assert.equal(answer.status, 409, answer.text);
    assert.ok(answer.text.includes(error), answer.text);
    await api.invalid("to: user not found: eve@example.com", "POST", "/api/email/test", { to: "eve@example.com" });
  });

  it("list queued invitations without the link, and users show their state", async () => {
    const plain = await api.call("POST", "/api/users/invite?email=ada@example.com");
    assert.equal(plain.body.data.emailed_to, null);
    await setEmailEnabled(api.db, true);
    const { body } = await api.call("POST", "/api/users/invite?email=ada@example.com");
    assert.equal(body.data.emailed_to, "ada@example.com");
    const token = body.invite_url.split("#")[1];
    const { text, body: list } = await api.call("GET", "/api/email/messages?kind=invitation&recipient=ADA@example.com");
    assert.deepEqual(
      list.data.map(({ recipient, status }: { recipient: string; status: string }) => [recipient, status]),
      [["ada@example.com", "pending"]],
    );
    assert.equal(text.includes(token), false);
    const stored = JSON.stringify(await api.db.selectFrom("emails").selectAll().execute());
    assert.equal(stored.includes(token), false);
    const users = await api.call("GET", "/api/users?include_details=true&search=ada");
    assert.equal(users.body.data[0].invitation_email.status, "pending");
    await sleep(2);
    const skipped = await api.call("POST", "/api/users/invite?email=ada@example.com&skip_email=true");
    assert.equal(skipped.body.data.emailed_to, null);
    const again = await api.call("GET", "/api/users?include_details=true&search=ada");
    assert.equal(again.body.data[0].invitation_email, null);
  });
});
