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

  it("are edited, keep their secrets, and show when they were sent and what was dropped", async () => {
    const { database, service } = installation;
    const created = await service.api("POST", "/api/log-destinations", {
      ...{ name: "Archive", kind: "webhook", sources: ["audit"], url: `${receiver.url}/old` },
      headers: { Authorization: "Bearer canary", "X-Scope": "acme" },
    });
    assert.equal(created.status, 201);
    const { id } = created.body.data;
    receiver.answer = (response) => void response.end("{}");
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto(`/log-destinations?open=${id}`);
      await dialog(page).getByRole("button", { name: "Edit…" }).click();
      const form = page.getByRole("dialog", { name: "Edit Archive" });
      assert.equal(await form.getByLabel("URL").inputValue(), `${receiver.url}/old`);
      await form.getByText("Stored headers: Authorization, X-Scope").waitFor();
      assert.deepEqual(await seriousFindings(page), []);
      await form.getByLabel("Name").fill("Long-term archive");
      await form.getByLabel("URL").fill(`${receiver.url}/new`);
      await form.getByLabel("Call log").check();
      await form.getByRole("combobox", { name: "Outcomes" }).click();
      await page.getByRole("option", { name: "Timed out" }).click();
      await form.getByRole("button", { name: "Save changes" }).click();
      await form.waitFor({ state: "detached" });
      const { body } = await service.api("GET", `/api/log-destinations/${id}`);
      const { name, url, sources, outcomes, header_names } = body.data;
      assert.deepEqual(
        { name, url, sources, outcomes, header_names },
        {
          ...{ name: "Long-term archive", url: `${receiver.url}/new`, sources: ["audit", "calls"] },
          ...{ outcomes: ["timeout"], header_names: ["Authorization", "X-Scope"] },
        },
      );
      await dialog(page).getByRole("heading", { name: "Long-term archive" }).waitFor();
      await service.api("POST", "/api/groups", { name: "Shipped" });
      const sent = () => receiver.requests.find(({ path, body: text }) => path === "/new" && text.includes("Shipped"));
      for (let tries = 0; !sent() && tries < 600; tries++) await page.waitForTimeout(100);
      assert.equal(sent()?.headers.authorization, "Bearer canary", "the stored headers were kept");
      await database.databases.main
        .updateTable("log_cursors")
        .set({ lost: 1_204, rejected: 2 })
        .where("destination_id", "=", id)
        .where("source", "=", "audit")
        .execute();
      await dialog(page).getByText("Retention deleted 1,204 records before they were sent.").waitFor();
      await page.goto("/log-destinations");
      const row = page.getByRole("row", { name: /Long-term archive/ });
      await row.getByRole("cell", { name: "1,206" }).waitFor();
      await row.getByText(/(now|ago)$/).waitFor();
      assert.deepEqual(await seriousFindings(page), []);
    });
  });

  it("are found and created from the command palette", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/catalog");
      await page.getByRole("heading", { name: "Catalog" }).waitFor();
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Search or jump to" }).fill("term arch");
      await page.getByRole("option", { name: "Long-term archive" }).click();
      await page.waitForURL("**/log-destinations?open=lgd_*");
      await dialog(page).getByRole("heading", { name: "Long-term archive" }).waitFor();
      await page.goto("/catalog");
      await page.getByRole("heading", { name: "Catalog" }).waitFor();
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Search or jump to" }).fill("create log");
      await page.getByRole("option", { name: "Create a log destination" }).click();
      await page.getByRole("dialog", { name: "Create log destination" }).waitFor();
    });
  });
});
