import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, afterEach, before, beforeEach, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createEgress, type Egress, parseAllowList } from "#egress/egress";
import { createIds } from "#lib/ids";
import { createLogger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import type { SmtpSettings } from "#lib/smtp-settings";
import { claimEmails, type QueuedEmail, queueEmails, sealEmailToken, setEmailEnabled } from "#records/emails";
import { makeInvitation, voidInvitation } from "#records/invitations";
import type { MainDb } from "#storage/database";
import { openVault } from "#storage/open-vault";
import type { Vault } from "#storage/vault";
import { wrappingKey } from "#storage/wrapping-key";
import { type ShiftableClock, shiftableClock } from "#test/clock";
import { forEachDatabase } from "#test/databases";
import { type MailServer, startMailServer } from "#test/mail-server";
import { newUser } from "#test/sealed-columns";
import { EmailDeliverer } from "./deliverer.ts";

const KEY = wrappingKey(randomBytes(32));
const PERSON = { id: "usr_ada", email: "ada@example.com" };
const DAY_MS = 24 * 60 * 60 * 1000;

forEachDatabase("queued emails (API-26)", (open) => {
  let db: MainDb;
  let vault: Vault;
  let egress: Egress;
  let clock: ShiftableClock;
  let mail: MailServer;
  const lines: string[] = [];
  const logger = createLogger("trace", { write: (line) => void lines.push(line) });
  const deliverers: EmailDeliverer[] = [];
  before(async () => {
    db = (await open()).databases.main;
    // Loopback is not allowed for anyone else.
    egress = createEgress({ allow: parseAllowList("") });
    const at = { created_at: 0, updated_at: 0 };
    await db
      .insertInto("users")
      .values({ ...at, ...newUser(PERSON.id), email: PERSON.email, email_key: PERSON.email, is_machine_user: false })
      .execute();
  });
  beforeEach(async () => {
    clock = shiftableClock();
    vault = await openVault(db, [KEY], { clock, logger });
    await db.deleteFrom("emails").execute();
    await db.deleteFrom("email_state").execute();
    await setEmailEnabled(db, true);
    mail = await startMailServer();
    lines.length = 0;
  });
  afterEach(async () => {
    await Promise.all(deliverers.splice(0).map((one) => one.stop()));
    await mail.close();
  });
  after(() => egress.close());

  const newId = () => createIds(clock, systemRandom);
  const smtp = (changes: Partial<SmtpSettings> = {}): SmtpSettings => ({
    ...mail.settings,
    ...changes,
  });
  const start = async (settings: SmtpSettings | undefined = smtp(), holder = "one") => {
    const needs = { db, clock, newId: newId(), vault, egress, logger, random: systemRandom, holder, smtp: settings };
    const deliverer = new EmailDeliverer({ ...needs, baseUrl: "https://gate.example.com", orgName: "Acme" });
    deliverers.push(deliverer);
    await deliverer.start();
    return deliverer;
  };
  const queue = (changes: Partial<QueuedEmail> = {}) =>
    db.transaction().execute((tx) =>
      queueEmails(tx, newId(), {
        ...{ kind: "connection_expired", recipients: [PERSON], now: clock.now() },
        data: { server: "Wiki", slug: "wiki", error: "The sign-in expired" },
        ...changes,
      }),
    );
  const invite = async () => {
    const { invitation, token } = await db.transaction().execute((tx) =>
      makeInvitation(tx, {
        ...{ userId: PERSON.id, creator: { id: "op", name: "grace@example.com" }, responsibleId: null },
        ...{ resetsAccount: false, requiredAll: false, now: clock.now(), random: systemRandom },
      }),
    );
    await queue({
      ...{
        kind: "invitation",
        expiresAt: invitation.expiresAt,
        data: { name: "Ada", invited_by: "grace@example.com" },
      },
      sealToken: (id) => sealEmailToken(vault, id, token),
    });
    return token;
  };
  const rows = () => db.selectFrom("emails").selectAll().orderBy("at").orderBy("id").execute();
  const until = async (isTrue: () => boolean | Promise<boolean>, what: string) => {
    for (let tries = 0; tries < 150; tries++) {
      if (await isTrue()) return;
      await sleep(100);
    }
    assert.fail(`${what}: ${JSON.stringify(await rows())}`);
  };
  const untilStatus = (status: string) =>
    until(async () => (await rows()).every((row) => row.status === status), status);
  const untilAttempts = (count: number) =>
    until(async () => (await rows())[0]?.attempts === count, `${count} attempts`);
  const decoded = (raw = "") => raw.replaceAll("=\r\n", "").replaceAll("=3D", "=");

  it("are not stored while the installation has no mail server", async () => {
    await setEmailEnabled(db, false);
    assert.equal(await queue(), 0);
    assert.deepEqual(await rows(), []);
  });

  it("arrive once as text and HTML, although two processes look for them", async () => {
    await start(smtp(), "one");
    await start(smtp(), "two");
    for (let n = 0; n < 6; n++) await queue();
    await untilStatus("sent");
    assert.equal(mail.received.length, 6);
    const [email] = mail.received;
    assert.deepEqual([email?.from, email?.to], ["gatehouse@example.com", [PERSON.email]]);
    assert.match(email?.raw ?? "", /^Subject: Reconnect your account at Wiki\r$/m);
    assert.match(email?.raw ?? "", /Content-Type: text\/plain/);
    assert.match(email?.raw ?? "", /Content-Type: text\/html/);
    assert.match(decoded(email?.raw), /https:\/\/gate\.example\.com\/connect\/wiki/);
    const ids = mail.received.map(({ raw }) => /^Message-ID: (.*)\r$/m.exec(raw)?.[1]);
    assert.deepEqual(ids.sort(), (await rows()).map(({ id }) => `<${id}@example.com>`).sort());
  });

  it("contain the link of an invitation, which is nowhere else and is deleted afterwards", async () => {
    const token = await invite();
    assert.equal(JSON.stringify(await rows()).includes(token), false);
    await start();
    await untilStatus("sent");
    assert.ok(decoded(mail.received[0]?.raw).includes(`https://gate.example.com/invite#${token}`));
    assert.deepEqual(
      (await rows()).map((row) => row.sealed_token),
      [null],
    );
    assert.equal(lines.join("").includes(token), false);
  });

  it("are canceled if the invitation was revoked before they were sent", async () => {
    await invite();
    await db.transaction().execute((tx) => voidInvitation(tx, PERSON.id));
    await start();
    await untilStatus("canceled");
    assert.equal(mail.received.length, 0);
  });

  it("are retried while the mail server is away, and sent when it is back", async () => {
    const { port } = mail;
    await mail.close();
    await queue();
    await start(smtp({ port }));
    await untilAttempts(1);
    const [failed] = await rows();
    assert.match(failed?.last_error ?? "", /does not accept connections/);
    const state = await db.selectFrom("email_state").selectAll().executeTakeFirstOrThrow();
    assert.equal(typeof state.failing_since, "number");
    mail = await startMailServer();
    await Promise.all(deliverers.splice(0).map((one) => one.stop()));
    clock.shiftMs += 10_000;
    await start();
    await untilStatus("sent");
    assert.equal((await db.selectFrom("email_state").selectAll().executeTakeFirstOrThrow()).failing_since, null);
  });

  it("fail without a retry if the mail server rejects the recipient for good", async () => {
    mail.rejectRecipient = { code: 550, message: "No such mailbox" };
    await queue();
    await start();
    await untilStatus("failed");
    const [row] = await rows();
    assert.equal(row?.attempts, 1);
    assert.match(row?.last_error ?? "", /rejected the recipient \(550\).*No such mailbox/);
  });

  it("are retried if the mail server rejects the recipient for now", async () => {
    mail.rejectRecipient = { code: 450, message: "Try again later" };
    await queue();
    await start();
    await untilAttempts(1);
    assert.equal((await rows())[0]?.status, "pending");
  });

  it("are sent by another process if the one that claimed them dies", async () => {
    await queue();
    const now = clock.now();
    assert.equal((await claimEmails(db, { holder: "dead", now, until: now + 30_000 }, 5)).length, 1);
    await start();
    await sleep(1_500);
    assert.equal(mail.received.length, 0, "the claim holds");
    clock.shiftMs += 30_000;
    await untilStatus("sent");
    assert.equal(mail.received.length, 1);
  });

  it("are given up when they are too old to be useful", async () => {
    await queue();
    clock.shiftMs += DAY_MS;
    await start();
    await untilStatus("failed");
    assert.equal(mail.received.length, 0);
  });

  it("are combined if callers cause many", async () => {
    const data = { caller: "bot@example.com", tool: "drop", server: "Database", guard: "Writes" };
    for (let n = 0; n < 3; n++) await queue({ kind: "approval_requested", data });
    await start();
    await untilStatus("sent");
    assert.equal(mail.received.length, 1);
    assert.match(mail.received[0]?.raw ?? "", /^Subject: 3 calls wait for your approval\r$/m);
    await queue({ kind: "approval_requested", data });
    const later = (await rows()).at(-1);
    assert.ok((later?.due_at ?? 0) - clock.now() > 4 * 60_000, "the next one waits");
  });

  it("cannot get other headers or recipients from names", async () => {
    const server = "Wiki\r\nBcc: eve@example.com\r\n\r\n<script>alert(1)</script>";
    await queue({ data: { server, slug: "wiki", error: "x" } });
    await start();
    await untilStatus("sent");
    const [email] = mail.received;
    const [head = ""] = (email?.raw ?? "").split("\r\n\r\n");
    const html = decoded(email?.raw.slice(email.raw.indexOf("text/html")));
    assert.deepEqual(email?.to, [PERSON.email]);
    assert.doesNotMatch(head, /^Bcc:/im);
    assert.match(html, /&lt;script&gt;/);
    assert.doesNotMatch(html, /<script>/);
  });

  it("are not sent without TLS if the settings require it", async () => {
    await queue();
    await start(smtp({ security: "starttls" }));
    await untilAttempts(1);
    assert.match((await rows())[0]?.last_error ?? "", /did not upgrade the connection to TLS/);
    assert.equal(mail.received.length, 0);
  });

  it("are retried if the mail server refuses the connection, whose reason is reported once", async () => {
    await mail.close();
    const refusal = Object.assign(new Error("5.7.1 Your address is blocked"), { responseCode: 554 });
    mail = await startMailServer({ onConnect: (_session, callback) => callback(refusal) });
    await queue();
    await start(smtp());
    await untilAttempts(1);
    const [{ status, last_error } = {}] = await rows();
    const reason = "The mail server responded: 554 5.7.1 Your address is blocked";
    assert.deepEqual(
      [status, last_error],
      ["pending", `The mail server 127.0.0.1 refused the connection. Check SMTP_HOST and SMTP_PORT. ${reason}`],
    );
  });

  it("are not sent to a certificate that is not trusted", async () => {
    await mail.close();
    mail = await startMailServer({ disabledCommands: [] });
    await queue();
    await start(smtp({ security: "starttls" }));
    await untilAttempts(1);
    assert.match((await rows())[0]?.last_error ?? "", /TLS/);
    assert.equal(mail.received.length, 0);
  });

  it("use the user name and password, and a rejected sign-in does not repeat them", async () => {
    await mail.close();
    const PASSWORD = "canary-of-the-password";
    mail = await startMailServer({
      ...{ authOptional: false, allowInsecureAuth: true },
      onAuth: ({ username, password }, _session, callback) =>
        password === PASSWORD
          ? callback(null, { user: username })
          : callback(Object.assign(new Error(`no ${password}`), { responseCode: 535 })),
    });
    await queue();
    await start(smtp({ user: "gate", password: `${PASSWORD}-wrong` }));
    await untilAttempts(1);
    assert.match((await rows())[0]?.last_error ?? "", /Check SMTP_USER and SMTP_PASSWORD/);
    await Promise.all(deliverers.splice(0).map((one) => one.stop()));
    clock.shiftMs += 10_000;
    await start(smtp({ user: "gate", password: PASSWORD }));
    await untilStatus("sent");
    assert.equal(mail.received[0]?.user, "gate");
    assert.equal(lines.join("").includes(PASSWORD), false);
  });

  it("are never sent to link-local addresses", async () => {
    await queue();
    await start(smtp({ host: "169.254.169.254" }));
    await untilAttempts(1);
    assert.match((await rows())[0]?.last_error ?? "", /which is never allowed/);
  });
});
