import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser as HttpBrowser } from "#test/browser";
import { type MailServer, startMailServer } from "#test/mail-server";
import { seriousFindings } from "./kit/axe.ts";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";

describe("email", () => {
  let installation: Installation;
  let browser: TestBrowser;
  let owner: HttpBrowser;
  let mail: MailServer;
  before(async () => {
    mail = await startMailServer();
    installation = await startInstallation({ smtp: mail.settings });
    owner = await signIn(installation, "owner");
    browser = await openBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
    await mail?.close();
  });
  const emailTo = async (recipient: string) => {
    for (let tries = 0; tries < 150; tries++) {
      const found = mail.received.find(({ to }) => to.includes(recipient));
      if (found) return found.raw.replaceAll("=\r\n", "").replaceAll("=3D", "=");
      await sleep(100);
    }
    return assert.fail(`no email to ${recipient}`);
  };

  it("of an invitation has the link that the dialog shows, and leads to the page that sets a password", async () => {
    const link = await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/users");
      await page.getByRole("button", { name: "Add user" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("Ada");
      await dialog.getByLabel("Email").fill("ada@acme.example");
      await dialog.getByRole("button", { name: "Add user" }).click();
      await dialog.getByText("The link is being emailed to ada@acme.example").waitFor();
      assert.deepEqual(await seriousFindings(page), []);
      const raw = await emailTo("ada@acme.example");
      const shown = (await dialog.locator("code").textContent()) ?? "";
      assert.match(shown, /\/invite#/);
      assert.ok(raw.includes(shown), `the email does not contain ${shown}`);
      await page.goto("/users/ada@acme.example");
      await page.getByText("Emailed to ada@acme.example").waitFor();
      return shown;
    });
    await browser.withPage({}, async (page) => {
      await page.goto(link);
      await page.getByLabel("Password").first().waitFor();
    });
  });

  it("shows the mail server, sends a test email, and shows why the mail server fails", async () => {
    await browser.withPage({ as: owner, width: 375 }, async (page) => {
      await page.goto("/settings/email");
      await page.getByText(`127.0.0.1:${mail.port}`).waitFor();
      const send = page.getByRole("button", { name: "Send test email" });
      await send.click();
      await page.getByText("Test email sent to").waitFor();
      await mail.close();
      await send.click();
      await page.getByRole("alert").getByText("The test email was not sent. The mail server 127.0.0.1").waitFor();
      await page.getByText("Failing since").waitFor();
      assert.deepEqual(await seriousFindings(page), []);
    });
  });

  it("notices are turned on and off by each person", async () => {
    const member = await signIn(installation, "member", "notices@example.com");
    await browser.withPage({ as: member }, async (page) => {
      await page.goto("/account");
      const expired = page.getByRole("switch", { name: "One of my connections no longer works" });
      await expired.waitFor();
      assert.equal(await expired.isChecked(), true);
      assert.equal(await page.getByRole("switch", { name: "A call waits for approval" }).count(), 0);
      assert.deepEqual(await seriousFindings(page), []);
      const saved = page.waitForResponse((response) => response.request().method() === "PATCH");
      await expired.click();
      assert.equal((await saved).status(), 200);
      await page.reload();
      await expired.waitFor();
      assert.equal(await expired.isChecked(), false);
      assert.equal(
        await page.getByRole("switch", { name: "My request for access was approved or denied" }).isChecked(),
        true,
      );
    });
  });
});
