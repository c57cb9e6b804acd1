import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Browser, invite, signedInAs } from "#test/browser";
import { forEachDatabase, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createServer, createSyncedServer } from "#test/factories";
import { rpc } from "#test/gateway-kit";
import { publishGuards } from "#test/guard-records";
import { type MailServer, startMailServer } from "#test/mail-server";
import { type Customer, startCustomer } from "#test/oauth/customer";
import { GOOD_PASSWORD } from "#test/passwords";
import { type OwnService, startService } from "#test/start-service";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const CANARY = "canary-of-the-arguments";
const WORD = { type: "keyword", name: "Money", config: { words: ["transfer"] } };
const GUARD = { slug: "money", name: "Payments", message: "Ask.", action: "require_approval", checks: [WORD] };

forEachDatabase("emails of a service (API-26)", (open) => {
  let database: TestDatabase;
  let service: OwnService;
  let mail: MailServer;
  let customer: Customer;
  let bank: RawUpstream;
  let owner: Browser;
  let ada: Browser;
  before(async () => {
    database = await open();
    mail = await startMailServer();
    service = await startService(database, { config: { smtp: mail.settings, metricsPort: 0 } });
    customer = await startCustomer();
    bank = await startRawUpstream();
    owner = await signedInAs(service, "owner", "owner@example.com");
    ada = await signedInAs(service, "member", "ada@example.com");
  });
  after(async () => {
    await service?.close();
    await bank?.close();
    await customer?.close();
    await mail?.close();
  });

  /** The text of the email with this subject. */
  const received = async (recipient: string, subject: RegExp) => {
    for (let tries = 0; tries < 150; tries++) {
      const found = mail.received.find(
        ({ to, raw }) => to.includes(recipient) && subject.test(/^Subject: (.*)\r$/m.exec(raw)?.[1] ?? ""),
      );
      if (found) return found.raw.replaceAll("=\r\n", "").replaceAll("=3D", "=");
      await sleep(100);
    }
    return assert.fail(`no such email to ${recipient}: ${subject}`);
  };

  it("notify owners of a held call, without its arguments", async () => {
    await createSyncedServer(service, "Bank", bank.url);
    const bot = await createMachineUser(service, "bot");
    await createGroup(service, "Bots", { slugs: ["bank"], emails: [bot.email] });
    await publishGuards(service, database.databases, [GUARD]);
    const message = rpc("tools/call", { name: "bank__echo", arguments: { transfer: CANARY } });
    const held = service.mcp(bot.credential, message);
    const text = await received("owner@example.com", /^A call to Bank waits for your approval$/);
    assert.match(text, /called the tool echo of Bank\. The guard Payments holds the call/);
    assert.match(text, /\/approvals/);
    assert.equal(text.includes(CANARY), false);
    assert.equal(
      mail.received.some(({ to, raw }) => to.includes("ada@example.com") && raw.includes("approval")),
      false,
    );
    const [{ id }] = (await service.api("GET", "/api/guards/approvals?status=pending")).body.data;
    await service.api("POST", `/api/guards/approvals/${id}/decision`, { decision: "deny" });
    assert.match((await held).text, /denied/);
  });

  it("notify the person whose connection no longer works, once", async () => {
    customer.allowKey("good-key");
    await createServer(service, "Keyed", customer.url, { auth_settings: { authType: "proxy-api-key" } });
    await createGroup(service, "People", { slugs: ["keyed"], emails: ["ada@example.com"] });
    const saved = await ada.api("PUT", "/api/me/api-key?mcp=keyed", { key: "good-key" });
    assert.equal(saved.status, 200, saved.text);
    customer.revokeToken("good-key");
    for (let n = 0; n < 2; n++) await ada.api("POST", "/api/me/test-connection?mcp=keyed");
    const text = await received("ada@example.com", /^Reconnect your account at Keyed$/);
    assert.match(text, /\/connect\/keyed/);
    assert.equal(text.includes("good-key"), false);
    const queued = await database.databases.main
      .selectFrom("emails")
      .select("id")
      .where("kind", "=", "connection_expired")
      .execute();
    assert.equal(queued.length, 1);
  });

  it("notify the person whose account was reset with an invitation link", async () => {
    const link = await invite(service, "ada@example.com");
    const email = await received("ada@example.com", /^A new sign-in link for your account at Test$/);
    assert.match(email, /^An administrator created a new sign-in link .* resets the account/m);
    assert.ok(email.includes(link));
    const accepted = await new Browser(service).accept(link);
    assert.equal(accepted.status, 303, accepted.text);
    const text = await received("ada@example.com", /^Your account at Test was reset$/);
    assert.match(text, /The link was created by the API token Bootstrap token\./);
    assert.match(text, /If this was not you, contact an administrator immediately/);
  });

  it("name the person who created the link of a reset, and report a changed password", async () => {
    const eve = await signedInAs(service, "member", "eve@example.com");
    const { status } = await eve.api("POST", "/api/me/password", {
      ...{ current_password: GOOD_PASSWORD, new_password: "vermilion-otter-9-plinth" },
    });
    assert.equal(status, 200);
    const changed = await received("eve@example.com", /^Your password at Test was changed$/);
    assert.match(changed, /was changed from 127\.0\.0\.1/);
    const invited = await owner.api("POST", "/api/users/invite?email=eve@example.com");
    assert.equal(invited.status, 201, invited.text);
    await new Browser(service).accept(invited.body.invite_url);
    const text = await received("eve@example.com", /^Your account at Test was reset$/);
    assert.match(text, /The link was created by owner@example\.com\./);
  });

  it("are not sent to people who turned the notice off, except about the security of their account", async () => {
    const kate = await signedInAs(service, "member", "kate@example.com");
    const { body } = await kate.api("GET", "/api/me/email-notices");
    assert.deepEqual(body.data, {
      ...{ mail_server: true, approval_requested: true, access_requested: true },
      ...{ access_decided: true, connection_expired: true },
    });
    const off = await kate.api("PATCH", "/api/me/email-notices", { connection_expired: false });
    assert.deepEqual([off.status, off.body.data.connection_expired, off.body.data.access_decided], [200, false, true]);
    const ignored = await kate.api("PATCH", "/api/me/email-notices", { account_reset: false });
    assert.deepEqual(ignored.body, off.body);
    customer.allowKey("key-of-kate");
    await service.api("POST", "/api/groups/People/users", { emails: ["kate@example.com"] });
    assert.equal((await kate.api("PUT", "/api/me/api-key?mcp=keyed", { key: "key-of-kate" })).status, 200);
    customer.revokeToken("key-of-kate");
    await kate.api("POST", "/api/me/test-connection?mcp=keyed");
    const link = await invite(service, "kate@example.com");
    await new Browser(service).accept(link);
    await received("kate@example.com", /^Your account at Test was reset$/);
    const { main } = database.databases;
    const kinds = await main
      .selectFrom("emails")
      .select("kind")
      .where("recipient", "=", "kate@example.com")
      .where("kind", "!=", "invitation")
      .execute();
    assert.deepEqual(kinds, [{ kind: "account_reset" }]);
    const audited = await main
      .selectFrom("audit")
      .select("after")
      .where("operation", "=", "updateMyEmailNotices")
      .execute();
    assert.equal(audited.length, 2);
    assert.match(JSON.stringify(audited), /connection_expired/);
  });

  it("are counted in the metrics", async () => {
    const count = async (result: string) => {
      const text = await (await fetch(`${service.metricsUrl}/metrics`)).text();
      return Number(new RegExp(`^gatehouse_email_attempts_total\\{result="${result}"\\} (\\d+)$`, "m").exec(text)?.[1]);
    };
    const { main } = database.databases;
    const rows = () => main.selectFrom("emails").select("status").where("status", "in", ["sent", "pending"]).execute();
    // The process counts an email after it stored that it was sent.
    for (let tries = 0; (await count("sent")) < (await rows()).length && tries < 150; tries++) await sleep(100);
    const [sent, failed] = [await count("sent"), await count("failed")];
    assert.equal(sent, (await rows()).length);
    await service.api("POST", "/api/email/test", { to: "ada@example.com" });
    mail.rejectRecipient = { code: 550, message: "No such mailbox" };
    await service.api("POST", "/api/email/test", { to: "ada@example.com" });
    mail.rejectRecipient = undefined;
    assert.deepEqual([await count("sent"), await count("failed")], [sent + 1, failed + 1]);
  });
});
