import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { Browser as HttpBrowser } from "#test/browser";
import { createGroup, createMachineUser, createServer, createSyncedServer } from "#test/factories";
import { type Customer, startCustomer } from "#test/oauth/customer";
import { GOOD_PASSWORD } from "#test/passwords";
import { type EchoUpstream, startEchoUpstream } from "#test/upstreams/echo";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";

const MEMBER = "member@acme.example";
const MANY_STOPS = 60;

const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });
const dialog = (page: Page) => page.getByRole("dialog");

/** As somebody without a mouse gets there. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let stop = 0; stop < MANY_STOPS; stop++) {
    if ((await target.and(page.locator(":focus")).count()) > 0) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`${target} cannot be reached by the keyboard`);
}

/** Both halves of the key that is shown once. */
async function readKey(page: Page): Promise<string> {
  const shown = dialog(page).locator("code");
  await shown.first().waitFor();
  return (await shown.allTextContents()).slice(0, 2).join(":");
}

async function closeKey(page: Page): Promise<void> {
  await page.getByLabel("I have kept it somewhere safe").check();
  await page.getByRole("button", { name: "Done" }).click();
  await dialog(page).waitFor({ state: "detached" });
}

describe("the first hour", () => {
  let installation: Installation;
  let upstream: EchoUpstream;
  let browser: TestBrowser;
  before(async () => {
    installation = await startInstallation();
    upstream = await startEchoUpstream({ tools: ["echo"] });
    browser = await openBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
    await upstream?.close();
  });

  it("somebody becomes the owner, adds a server, grants it to a machine user, and sees its first call in the log", async () => {
    await browser.withPage({}, async (page) => {
      await page.goto(`/setup-link#${installation.service.setupToken}`);
      await page.getByLabel("Your name").fill("Olivia Owner");
      await page.getByLabel("E-mail").fill("olivia@acme.example");
      await page.getByLabel("Password").fill(GOOD_PASSWORD);
      await page.getByRole("button", { name: "Become the owner" }).click();
      await page.locator("main").waitFor();

      await page.goto("/mcp-servers?add=url");
      await page.getByRole("textbox", { name: "Address" }).fill(upstream.url);
      await page.getByLabel("Name", { exact: true }).fill("Echo");
      await dialog(page).getByRole("button", { name: "Add server", exact: true }).click();
      await page.waitForURL("**/mcp-servers/echo");

      await page.goto("/groups?add=group");
      await page.getByLabel("Name", { exact: true }).fill("Robots");
      await dialog(page).getByRole("button", { name: "Create group" }).click();
      await page.waitForURL("**/groups/Robots");
      await page.getByRole("navigation", { name: "Group" }).getByRole("link", { name: "Servers" }).click();
      await page.getByRole("button", { name: "Add servers" }).first().click();
      await page.getByRole("combobox", { name: "MCP servers" }).fill("Echo");
      await page.getByRole("option", { name: "Echo" }).click();
      await dialog(page).getByRole("button", { name: "Add server", exact: true }).click();
      await row(page, "Echo").waitFor();

      await page.goto("/machine-users?add=machine-user");
      await page.getByLabel("Name", { exact: true }).fill("Nightly report");
      await page.getByRole("combobox", { name: "Groups" }).fill("Robots");
      await page.getByRole("option", { name: "Robots" }).click();
      await dialog(page).getByRole("button", { name: "Create machine user" }).click();
      const credential = await readKey(page);
      await closeKey(page);

      const params = { name: "echo__echo", arguments: { text: "the first words" } };
      const answer = await installation.service.mcp(credential, {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params,
      });
      assert.match(answer.text, /the first words/);
      await page.goto("/logs?live=on");
      await row(page, "echo / echo")
        .filter({ hasText: /nightly.report/i })
        .waitFor();
    });
  });
});

describe("what people come for", () => {
  let installation: Installation;
  let upstream: EchoUpstream;
  let customer: Customer;
  let browser: TestBrowser;
  let owner: HttpBrowser;
  let member: HttpBrowser;
  before(async () => {
    installation = await startInstallation();
    const { service } = installation;
    [upstream, customer] = await Promise.all([startEchoUpstream({ tools: ["echo"] }), startCustomer()]);
    customer.allowKey("good-key");
    owner = await signIn(installation, "owner");
    member = await signIn(installation, "member", MEMBER);
    await createSyncedServer(service, "Echo", upstream.url);
    await createServer(service, "Wiki", customer.url, { auth_settings: { authType: "proxy-oauth" } });
    await createServer(service, "Billing", customer.url, { auth_settings: { authType: "proxy-api-key" } });
    await createGroup(service, "Staff", { slugs: ["wiki", "billing"], emails: [MEMBER] });
    browser = await openBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
    await upstream?.close();
    await customer?.close();
  });

  /** The servers whose tools it is shown. */
  async function reachOf(credential: string): Promise<string[]> {
    const { body, text } = await installation.service.mcp(credential, { jsonrpc: "2.0", id: 1, method: "tools/list" });
    assert.ok(body.result, text);
    return [...new Set<string>(body.result.tools.map(({ name }: { name: string }) => name.split("__")[0]))];
  }

  it("a server is added from the catalog, by the keyboard alone", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/catalog");
      await page.getByRole("button", { name: /^Add / }).first().waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type("cloudflare docs");
      const add = page.getByRole("button", { name: "Add Cloudflare Docs" });
      await page.waitForURL("**/catalog?q=*");
      await tabTo(page, add);
      await page.keyboard.press("Enter");
      await page.waitForURL("**/mcp-servers/cloudflare-docs*");
      await page.getByRole("heading", { level: 1, name: "Cloudflare Docs" }).waitFor();
    });
  });

  it("a person gives a key of their own, by the keyboard alone", async () => {
    await browser.withPage({ as: member }, async (page) => {
      await page.goto("/connections");
      await tabTo(page, page.getByRole("button", { name: "Enter a key for Billing" }));
      await page.keyboard.press("Enter");
      await tabTo(page, page.getByLabel("API key", { exact: true }));
      await page.keyboard.type("good-key");
      await page.keyboard.press("Enter");
      await page.getByText("The server took the key. You are connected.").waitFor();
      await page.keyboard.press("Escape");
      await dialog(page).waitFor({ state: "detached" });
      await row(page, "Billing").getByText("Connected").waitFor();
    });
  });

  it("a person signs in at a customer's server in a window of its own (WEB-7)", async () => {
    await browser.withPage({ as: member }, async (page) => {
      await page.goto("/connections");
      const opened = page.waitForEvent("popup");
      await page.getByRole("button", { name: "Connect Wiki" }).click();
      await opened;
      await row(page, "Wiki").getByText("Connected").waitFor();
      assert.equal(customer.to("/token").length, 1);
    });
  });

  it("a group is granted to a machine user and taken away again, and the gateway follows", async () => {
    const { service } = installation;
    const bot = await createMachineUser(service, "Bot");
    await createGroup(service, "Robots", { slugs: ["echo"] });
    assert.deepEqual(await reachOf(bot.credential), []);
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/groups/Robots");
      await page.getByRole("button", { name: "Add members" }).first().click();
      await page.getByRole("combobox", { name: "People and machine users" }).fill("Bot");
      await page.getByRole("option", { name: "Bot" }).click();
      await page.getByRole("button", { name: "Add member", exact: true }).click();
      await row(page, "Bot").waitFor();
      assert.deepEqual(await reachOf(bot.credential), ["echo"]);
      await page.getByRole("button", { name: "Remove Bot from Robots" }).click();
      await page.getByText("Nobody is in this group").waitFor();
      assert.deepEqual(await reachOf(bot.credential), []);
    });
  });

  it("a machine user's secret is revealed, and rotated without an interruption", async () => {
    const { credential } = await createMachineUser(installation.service, "Rotor");
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/machine-users");
      await page.getByRole("button", { name: "Reveal the secret of Rotor" }).click();
      await page.getByText(credential.split(":")[1] ?? "", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Actions for Rotor" }).click();
      await page.getByRole("menuitem", { name: "Rotate secret…" }).click();
      await page.getByRole("button", { name: "Rotate secret", exact: true }).click();
      const rotated = await readKey(page);
      assert.notEqual(rotated, credential);
      assert.deepEqual([await reachOf(credential), await reachOf(rotated)], [[], []]);
      await closeKey(page);
    });
  });
});
