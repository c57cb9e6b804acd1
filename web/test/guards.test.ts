import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";

/** A test number of a card issuer. */
const CARD = "4111 1111 1111 1111";

describe("guards in the app", () => {
  let installation: Installation;
  let browser: TestBrowser;
  let upstream: RawUpstream;
  let bot: MachineUser;
  before(async () => {
    installation = await startInstallation({});
    upstream = await startRawUpstream();
    await createSyncedServer(installation.service, "Desk", upstream.url);
    bot = await createMachineUser(installation.service, "bot");
    await createGroup(installation.service, "Support", { slugs: ["desk"], emails: [bot.email] });
    browser = await openBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
    await upstream?.close();
  });

  const call = async (text: string) => {
    const params = { name: "desk__echo", arguments: { text } };
    return (await installation.service.mcp(bot.credential, { jsonrpc: "2.0", id: 1, method: "tools/call", params }))
      .body;
  };

  it("are tested, limited to requests, turned on, and block a call with a card number", async () => {
    const owner = await signIn(installation, "owner");
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/guards/payment-cards?tab=test");
      await page.getByLabel("Text").fill(`Card number ${CARD}, please charge it`);
      await page.getByRole("button", { name: "Test" }).click();
      await page.getByRole("list", { name: "Findings" }).getByText("41…").waitFor();
      await page.goto("/guards/payment-cards");
      await page.getByRole("combobox", { name: "Examines" }).click();
      await page.getByRole("option", { name: "Requests", exact: true }).click();
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByRole("alert").filter({ hasText: "Saved" }).waitFor();
      await page.goto("/guards");
      await page.getByRole("row").filter({ hasText: "Payment cards" }).locator(".mantine-Switch-track").click();
      await page.getByRole("switch", { name: "Turn on Payment cards", checked: true }).waitFor();
    });
    const blocked = await call(`card ${CARD}`);
    assert.equal(blocked.result.isError, true, JSON.stringify(blocked));
    assert.match(blocked.result.content[0].text, /^Blocked by guard "Payment cards"/);
    assert.equal(upstream.count("tools/call"), 0);
    assert.equal((await call("no card")).result.isError, undefined);
  });

  it("keep typed settings when they are turned on, and changes of another admin when they are saved", async () => {
    const { service } = installation;
    const checks = [{ type: "keyword", name: "Names", config: { words: ["falcon"] } }];
    const created = await service.api("POST", "/api/guards", {
      name: "Falcons",
      type: "runtime",
      action: "log",
      checks,
    });
    assert.equal(created.status, 201, created.text);
    const change = (body: object) => service.api("PATCH", "/api/guards?slug=falcons", body);
    const owner = await signIn(installation, "owner", "third@example.com");
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/guards/falcons");
      await page.getByLabel("Description").fill("Described in this tab");
      await page.getByRole("combobox", { name: "Users" }).fill(bot.email);
      await page.keyboard.press("Enter");
      await change({ scope: { servers: ["desk"] } });
      await page.getByRole("switch", { name: "Turn on Falcons" }).press("Space");
      await page.getByRole("switch", { name: "Turn on Falcons", checked: true }).waitFor();
      assert.equal(await page.getByLabel("Description").inputValue(), "Described in this tab");
      await change({ message: "Changed elsewhere" });
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByRole("alert").filter({ hasText: "Saved" }).first().waitFor();
      await savedForm(page).waitFor();
    });
    const { data } = (await service.api("GET", "/api/guards/falcons")).body;
    assert.deepEqual([data.description, data.message], ["Described in this tab", "Changed elsewhere"]);
    assert.deepEqual([data.scope.servers, data.scope.users], [["desk"], [bot.email]]);
  });

  it("are created with a check, and redact what it finds", async () => {
    const owner = await signIn(installation, "owner", "second@example.com");
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/guards?add=guard");
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Guard name").fill("Project names");
      await dialog.getByRole("combobox", { name: "Action" }).click();
      await page.getByRole("option", { name: /^Redact/ }).click();
      await dialog.getByRole("combobox", { name: "Words" }).fill("bluebird");
      await page.keyboard.press("Enter");
      await dialog.getByRole("button", { name: "Create guard" }).click();
      await page.getByRole("heading", { name: "Project names" }).waitFor();
      await page.getByRole("switch", { name: "Turn on Project names" }).press("Space");
      await page.getByRole("switch", { name: "Turn on Project names", checked: true }).waitFor();
    });
    await call("the bluebird flies");
    const sent = upstream.seen.map(({ body }) => body.toString("utf8")).filter((body) => body.includes("flies"));
    assert.equal(sent.length, 1);
    assert.ok(!sent[0]?.includes("bluebird") && sent[0]?.includes("REDACTED"), sent[0]);
  });
});

/** While a form is saved, its button is disabled too. */
function savedForm(page: Page) {
  return page.locator("button[type=submit]:disabled:not([data-loading])");
}
