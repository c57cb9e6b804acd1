import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type MailServer, startMailServer } from "../mail-server.ts";
import { createSelfSigned } from "../self-signed.ts";
import { expireClaims } from "./expire-claims.ts";
import { newDataDir, start } from "./start-command.ts";

const TOKEN = "token-of-the-service-with-email";
const PASSWORD = "canary-of-the-smtp-password";
const FROM = "Acme <gatehouse@example.com>";

async function post(url: string, path: string, body: object) {
  const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
  const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  assert.ok(response.ok, `${path}: ${response.status}`);
  return JSON.parse(await response.text());
}

async function untilReceived(mail: MailServer, count: number) {
  for (let tries = 0; mail.received.length < count && tries < 600; tries++) await sleep(100);
  assert.equal(mail.received.length, count);
}

/** Each test has separate processes and a separate mail server. */
describe("a process with a mail server", { concurrency: 3 }, () => {
  for (const security of ["starttls", "tls"] as const) {
    it(`signs in and sends with ${security} if NODE_EXTRA_CA_CERTS has the authority, and not without`, async (t) => {
      const { key, cert } = createSelfSigned();
      const mail = await startMailServer({
        ...{ key, cert, secure: security === "tls", disabledCommands: [], authOptional: false },
        onAuth: ({ username, password }, _session, callback) =>
          password === PASSWORD ? callback(null, { user: username }) : callback(new Error("wrong password")),
      });
      t.after(() => mail.close());
      const dataDir = await newDataDir();
      const authority = join(dataDir, "authority.pem");
      writeFileSync(authority, cert);
      const settings = {
        ...{ DATA_DIR: dataDir, GATEHOUSE_BOOTSTRAP_TOKEN: TOKEN, SMTP_FROM: FROM, SMTP_TLS: security },
        ...{ SMTP_HOST: "127.0.0.1", SMTP_PORT: String(mail.port), SMTP_USER: "gate", SMTP_PASSWORD: PASSWORD },
      };
      const distrusting = start(settings);
      const url = await distrusting.served();
      await post(url, "/api/users", { name: "Ada", email: "ada@example.com" });
      const { data: failed } = await post(url, "/api/email/test", { to: "ada@example.com" });
      assert.equal(failed.status, "failed");
      assert.match(failed.error, /with a trusted certificate\. Check SMTP_PORT and SMTP_TLS/);
      distrusting.child.kill("SIGTERM");
      await distrusting.ended;
      const trusting = start({ ...settings, NODE_EXTRA_CA_CERTS: authority });
      const { data: sent } = await post(await trusting.served(), "/api/email/test", { to: "ada@example.com" });
      assert.deepEqual([sent.status, sent.error], ["sent", null]);
      assert.deepEqual(
        mail.received.map(({ isSecure, user }) => [isSecure, user]),
        [[true, "gate"]],
      );
      trusting.child.kill("SIGTERM");
      const { stdout, stderr } = await trusting.ended;
      assert.equal(`${stdout}${stderr}`.includes(PASSWORD), false);
    });
  }

  it("sends each email that a killed process claimed or only stored, with its link", async (t) => {
    const silent = Promise.withResolvers<void>();
    let isSilent = true;
    const mail = await startMailServer({
      onMailFrom(_address, _session, callback) {
        if (isSilent) silent.resolve();
        else callback();
      },
    });
    t.after(() => mail.close());
    const dataDir = await newDataDir();
    const settings = {
      ...{ DATA_DIR: dataDir, GATEHOUSE_BOOTSTRAP_TOKEN: TOKEN, SMTP_FROM: FROM, SMTP_TLS: "none" },
      ...{ SMTP_HOST: "127.0.0.1", SMTP_PORT: String(mail.port) },
    };
    const first = start(settings);
    const url = await first.served();
    const links: string[] = [];
    for (const name of ["ada", "grace", "joan", "mary"]) {
      await post(url, "/api/users", { name, email: `${name}@example.com` });
      links.push((await post(url, `/api/users/invite?email=${name}@example.com`, {})).invite_url);
    }
    await silent.promise;
    first.child.kill("SIGKILL");
    await once(first.child, "close");
    isSilent = false;
    await expireClaims(dataDir);
    const second = start(settings);
    await second.served();
    await untilReceived(mail, 4);
    const texts = mail.received.map(({ raw }) => raw.replaceAll("=\r\n", ""));
    for (const link of links) assert.equal(texts.filter((each) => each.includes(link)).length, 1, link);
    second.child.kill("SIGTERM");
    await second.ended;
  });
});
