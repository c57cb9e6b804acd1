import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import type { Browser as HttpBrowser } from "#test/browser";
import { startWebhookReceiver, type WebhookReceiver } from "#test/webhook-receiver";
import { seriousFindings } from "./kit/axe.ts";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";

describe("log destinations", () => {
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

  it("are created, tested, and show why they fail", async () => {
    await browser.withPage({ as: owner }, async (page, findings) => {
      await page.goto("/log-destinations");
      await page.getByText("No log destinations yet").waitFor();
      await page.getByRole("button", { name: "Create log destination" }).click();
      await dialog(page).getByLabel("Name").fill("Collector");
      await dialog(page).getByLabel("URL").fill("http://10.0.0.1/");
      findings.allowStatus(400);
      await dialog(page).getByRole("button", { name: "Create log destination" }).click();
      await dialog(page).getByText("add it to EGRESS_ALLOW").waitFor();
      await dialog(page).getByLabel("URL").fill(`${receiver.url}/v1/logs`);
      assert.deepEqual(await seriousFindings(page), []);
      receiver.answer = (response) => void response.writeHead(401).end();
      await dialog(page).getByRole("button", { name: "Create log destination" }).click();
      await page.getByRole("link", { name: "Collector" }).first().click();
      await page.getByText("The receiver rejected the credentials (401)").first().waitFor();
      receiver.answer = (response) => void response.end("{}");
      await page.getByRole("button", { name: "Send test record" }).click();
      await page.getByText("Collector accepted the test record").waitFor();
      assert.deepEqual(await seriousFindings(page), []);
    });
  });
});
