import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { Webhook } from "standardwebhooks";
import { type Browser as HttpBrowser, signedInAs } from "#test/browser";
import { startWebhookReceiver, type WebhookReceiver } from "#test/webhook-receiver";
import { seriousFindings } from "./kit/axe.ts";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { assertFits } from "./kit/fits.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";

describe("webhooks", () => {
  let installation: Installation;
  let browser: TestBrowser;
  let owner: HttpBrowser;
  let receiver: WebhookReceiver;
  before(async () => {
    installation = await startInstallation();
    owner = await signIn(installation, "owner");
    receiver = await startWebhookReceiver();
    browser = await openBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
    await receiver?.close();
  });
  const dialog = (page: Page) => page.getByRole("dialog");

  it("are created from the empty state, show the secret once, are tested, and show their deliveries", async () => {
    await browser.withPage({ as: owner }, async (page, findings) => {
      await page.goto("/webhooks");
      await page.getByText("No webhooks yet").waitFor();
      await page.getByRole("button", { name: "Create webhook" }).click();
      await dialog(page).getByLabel("Name").fill("On-call");
      await dialog(page).getByLabel("URL").fill("http://10.0.0.1/");
      findings.allowStatus(400);
      await dialog(page).getByRole("button", { name: "Create webhook" }).click();
      await dialog(page).getByText("add it to EGRESS_ALLOW").waitFor();
      await dialog(page).getByLabel("URL").fill(receiver.url);
      await dialog(page).getByLabel("Security alert").check();
      assert.deepEqual(await seriousFindings(page), []);
      await dialog(page).getByRole("button", { name: "Create webhook" }).click();
      await page.getByText("Signing secret of On-call").waitFor();
      const secret = await page.locator("code", { hasText: "whsec_" }).innerText();
      await dialog(page).getByLabel("I have stored it in a safe place").check();
      await dialog(page).getByRole("button", { name: "Done" }).click();
      await page.getByText("No deliveries yet").waitFor();
      await page.getByRole("button", { name: "Send test event" }).click();
      await page.getByText("On-call accepted the test event").waitFor();
      const [request] = receiver.requests;
      new Webhook(secret).verify(request?.body ?? "", request?.headers as Record<string, string>);
      await page.getByRole("row").filter({ hasText: "Test event" }).waitFor();
      assert.equal((await page.content()).includes(secret), false);
    });
  });

  it("show the request and the response of a delivery, and send it again", async () => {
    receiver.answer = (response) => void response.writeHead(500).end("the database is down");
    await owner.api("POST", "/api/api-tokens", { name: "Root", scopes: ["all"] });
    const count = receiver.requests.length;
    await receiver.received(count + 1);
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/webhooks");
      await page.getByRole("link", { name: /On-call/ }).click();
      await page.getByRole("button", { name: /Security alert/ }).click();
      const panel = dialog(page);
      await panel.getByText("the database is down").first().waitFor();
      await panel.getByText("An API token with all scopes was created").waitFor();
      receiver.answer = (response) => void response.end("thanks");
      await panel.getByRole("button", { name: "Redeliver" }).click();
      await panel.getByText("Delivered").waitFor();
      await panel.getByText("thanks").waitFor();
      assert.deepEqual(await seriousFindings(page), []);
    });
  });

  it("are edited, rotated, disabled, and deleted by name", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/webhooks");
      await page.getByRole("link", { name: /On-call/ }).click();
      await page.getByRole("button", { name: "Edit" }).click();
      await dialog(page).getByLabel("Name").fill("Pager");
      await dialog(page).getByText("Slack", { exact: true }).click();
      await dialog(page).getByRole("button", { name: "Save changes" }).click();
      await page.getByRole("heading", { level: 1, name: "Pager" }).waitFor();
      await page.getByRole("link", { name: "Settings" }).last().click();
      await page.getByRole("button", { name: "Rotate secret" }).click();
      await dialog(page).getByRole("button", { name: "Rotate secret" }).click();
      await dialog(page).getByLabel("I have stored it in a safe place").check();
      await dialog(page).getByRole("button", { name: "Done" }).click();
      await page.getByText("also signed with the old secret").waitFor();
      await page.getByRole("button", { name: "Disable webhook" }).click();
      await page.getByText("This webhook is disabled").waitFor();
      await page.getByRole("button", { name: "Enable webhook" }).click();
      await page.getByText("Enabled", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Delete webhook" }).click();
      await dialog(page).getByRole("textbox").fill("Pager");
      await dialog(page).getByRole("button", { name: "Delete webhook" }).click();
      await page.getByText("No webhooks yet").waitFor();
    });
  });

  it("that are disabled automatically are shown on the home page, and auditors cannot change them", async () => {
    const made = await owner.api("POST", "/api/webhooks", {
      name: "Broken",
      url: receiver.url,
      events: ["tools.held"],
    });
    const db = installation.database.databases.main;
    const disabled = { enabled: false, disabled_reason: "failing", disabled_at: Date.now() } as const;
    await db.updateTable("webhooks").set(disabled).where("id", "=", made.body.data.id).execute();
    const auditor = await signedInAs(installation.service, "auditor", "auditor@acme.example");
    await browser.withPage({ as: auditor, width: 375 }, async (page) => {
      await page.goto(`/webhooks/${made.body.data.id}`);
      await page.getByText("No request succeeded for 5 days").waitFor();
      assert.equal(await page.getByRole("button", { name: "Send test event" }).count(), 0);
      await assertFits(page, 375, "a disabled webhook");
    });
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/");
      await page.getByRole("link", { name: "View webhook" }).click();
      await page.getByText("No request succeeded for 5 days").waitFor();
    });
  });
});
