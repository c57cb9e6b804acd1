import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { createPerson } from "#test/factories";
import { type MailServer, startMailServer } from "#test/mail-server";
import { type Service, startService } from "#test/start-service";
import { openShell } from "../../test/run.ts";

describe("gatehouse email", () => {
  let database: TestDatabase;
  let service: Service;
  let mail: MailServer;
  before(async () => {
    mail = await startMailServer();
    database = await openTestSqlite();
    service = await startService(database, { config: { smtp: mail.settings } });
    await createPerson(service, "Ada", "ada@example.com");
  });
  after(async () => {
    await service?.close();
    await database?.close();
    await mail?.close();
  });
  const shell = openShell(() => service);

  it("sends a test email and shows the mail server", async () => {
    const { code, stderr } = await shell.run(["email", "test", "--to", "ada@example.com"]);
    assert.deepEqual([code, stderr], [0, "The mail server accepted the test email to ada@example.com.\n"]);
    assert.deepEqual(mail.received[0]?.to, ["ada@example.com"]);
    const status = JSON.parse((await shell.run(["email", "status", "-o", "json"])).stdout);
    assert.deepEqual([status.enabled, status.port, status.failing_since], [true, mail.port, null]);
  });

  it("fails and shows why if the mail server rejects the test email, and lists it", async () => {
    mail.rejectRecipient = { code: 550, message: "No such mailbox" };
    const { code, stderr } = await shell.run(["email", "test", "--to", "ada@example.com"]);
    assert.equal(code, 1);
    assert.match(stderr, /The test email was not sent\. .*\(550\).*No such mailbox/);
    const list = JSON.parse((await shell.run(["email", "list", "--status", "failed", "-o", "json"])).stdout);
    assert.deepEqual(
      list.map(({ kind, recipient, status }: Record<string, string>) => [kind, recipient, status]),
      [["test", "ada@example.com", "failed"]],
    );
    const none = await shell.run(["email", "list", "--recipient", "eve@example.com"]);
    assert.match(`${none.stdout}${none.stderr}`, /No emails\./);
  });

  it("requires a recipient that is a person of the installation", async () => {
    const stranger = await shell.run(["email", "test", "--to", "eve@example.com"]);
    assert.deepEqual([stranger.code, stranger.stderr], [1, "gatehouse: --to: user not found: eve@example.com\n"]);
    assert.match((await shell.run(["email", "test"])).stderr, /--to is required, because no person is responsible/);
  });
});
