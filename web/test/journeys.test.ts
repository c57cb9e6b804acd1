import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import type { Locator, Page } from "playwright-core";
import type { Browser as HttpBrowser } from "#test/browser";
import { createGroup, createMachineUser, createServer, createSyncedServer } from "#test/factories";
import { type Customer, startCustomer } from "#test/oauth/customer";
import { GOOD_PASSWORD } from "#test/passwords";
import { type EchoUpstream, startEchoUpstream } from "#test/upstreams/echo";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import {
  type Installation,
  type ProxiedInstallation,
  signIn,
  startInstallation,
  startProxied,
} from "./kit/installation.ts";

const MEMBER = "member@acme.example";
const MAX_TAB_STOPS = 60;

const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });
const dialog = (page: Page) => page.getByRole("dialog");

/** Moves the focus with the Tab key. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let stop = 0; stop < MAX_TAB_STOPS; stop++) {
    if ((await target.and(page.locator(":focus")).count()) > 0) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`${target} cannot be reached by the keyboard`);
}

/** Operates a control with the keyboard. */
async function press(page: Page, target: Locator, key = "Enter"): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** The access key in the dialog. */
async function readKey(page: Page): Promise<string> {
  const shown = dialog(page).locator("code");
  await shown.first().waitFor();
  return (await shown.allTextContents()).slice(0, 2).join(":");
}

async function closeKey(page: Page): Promise<void> {
  await press(page, page.getByLabel("I have stored it in a safe place"), "Space");
  await press(page, dialog(page).getByRole("button", { name: "Done" }));
  await dialog(page).waitFor({ state: "detached" });
}

const runInShell = promisify(execFile);
const MAX_INTERACTIONS = 10;

describe("the first run", () => {
  let installation: ProxiedInstallation;
  let browser: TestBrowser;
  before(async () => {
    installation = await startProxied();
    browser = await openBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
  });

  it("leads from the setup link to the first logged call in at most 10 interactions, with the keyboard", async () => {
    await browser.withPage({}, async (page) => {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      let interactions = 0;
      const type = async (field: Locator, text: string) => {
        interactions++;
        await field.fill(text);
      };
      const act = async (target: Locator, key?: string) => {
        interactions++;
        await press(page, target, key);
      };
      const button = (name: string) => page.getByRole("button", { name, exact: true });
      const ticked = (count: number) => page.getByText(`${count} of 4 done`).waitFor();

      await page.goto(`/setup-link#${installation.service.setupToken}`);
      await type(page.getByLabel("Your name"), "Olivia Owner");
      await type(page.getByLabel("Email"), "olivia@acme.example");
      await type(page.getByLabel("Password"), GOOD_PASSWORD);
      await act(button("Create owner account"));

      await ticked(0);
      await act(button("Add sample server"));
      await ticked(1);
      await act(button("Create group"));
      await ticked(2);
      await act(button("Create machine user"));
      await dialog(page).waitFor();
      await dialog(page).getByText("Waiting for your first call…").waitFor();
      await act(button("Copy curl command with the access key"));
      const command = await page.evaluate<string>("navigator.clipboard.readText()");
      const shown = await dialog(page).locator("code").allTextContents();
      assert.ok(shown.includes(command), "the copied command is the one on the screen");
      assert.ok(command.includes(shown.slice(0, 2).join(":")), "the access key is shown in full");
      interactions++;
      const { stdout } = await runInShell("bash", ["-c", command]);
      assert.match(stdout, /"text":"Hello"/);
      await dialog(page).getByText("Your first call was logged").waitFor();
      assert.ok(interactions <= MAX_INTERACTIONS, `${interactions} interactions`);

      await closeKey(page);
      await ticked(4);
      const counter = page.getByRole("region", { name: "Last 24 hours" }).getByRole("link", { name: /^Calls/ });
      await counter.filter({ hasText: /^Calls1$/ }).waitFor();
      await act(page.getByRole("link", { name: "View the call in Logs" }));
      await dialog(page).getByRole("heading", { name: "echo" }).waitFor();
      await dialog(page).getByText("first-agent@machine.acme.example").waitFor();
    });
  });
});

describe("core tasks with the keyboard", () => {
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

  /** The servers whose tools the caller can list. */
  async function accessibleServers(credential: string): Promise<string[]> {
    const { body, text } = await installation.service.mcp(credential, { jsonrpc: "2.0", id: 1, method: "tools/list" });
    assert.ok(body.result, text);
    return [...new Set<string>(body.result.tools.map(({ name }: { name: string }) => name.split("__")[0]))];
  }

  it("adds a server from the catalog", async () => {
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

  it("connects an account with an API key", async () => {
    await browser.withPage({ as: member }, async (page) => {
      await page.goto("/connections");
      await tabTo(page, page.getByRole("button", { name: "Enter API key for Billing" }));
      await page.keyboard.press("Enter");
      await tabTo(page, page.getByLabel("API key", { exact: true }));
      await page.keyboard.type("good-key");
      await page.keyboard.press("Enter");
      await page.getByText("Saved. The connection works.").waitFor();
      await page.keyboard.press("Escape");
      await dialog(page).waitFor({ state: "detached" });
      await row(page, "Billing").getByText("Connected").filter({ visible: true }).waitFor();
    });
  });

  it("connects an account with OAuth in a popup (WEB-7)", async () => {
    await browser.withPage({ as: member }, async (page) => {
      await page.goto("/connections");
      const opened = page.waitForEvent("popup");
      await press(page, page.getByRole("button", { name: "Connect Wiki" }));
      await opened;
      await row(page, "Wiki").getByText("Connected").waitFor();
      assert.equal(customer.to("/token").length, 1);
    });
  });

  it("adds a machine user to a group and removes it, and the gateway applies both", async () => {
    const { service } = installation;
    const bot = await createMachineUser(service, "Bot");
    await createGroup(service, "Robots", { slugs: ["echo"] });
    assert.deepEqual(await accessibleServers(bot.credential), []);
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/groups/Robots");
      await press(page, page.getByRole("button", { name: "Add members" }).first());
      await tabTo(page, page.getByRole("combobox", { name: "Users and machine users" }));
      // All users are offered until the search results arrive.
      const found = page.waitForResponse(/search=Bot/);
      await page.keyboard.type("Bot");
      await found;
      await page.getByRole("option").nth(1).waitFor({ state: "detached" });
      await page.getByRole("option", { name: "Bot" }).waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await press(page, page.getByRole("button", { name: "Add member", exact: true }));
      await row(page, "Bot").waitFor();
      assert.deepEqual(await accessibleServers(bot.credential), ["echo"]);
      await press(page, page.getByRole("button", { name: "Remove Bot from Robots" }));
      await page.getByText("No members yet").waitFor();
      assert.deepEqual(await accessibleServers(bot.credential), []);
    });
  });

  it("reveals the secret of a machine user and rotates it without interruption", async () => {
    const { credential } = await createMachineUser(installation.service, "Rotor");
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/machine-users");
      await press(page, page.getByRole("button", { name: "Reveal the secret of Rotor" }));
      await page.getByText(credential.split(":")[1] ?? "", { exact: true }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      const menu = page.getByRole("button", { name: "Actions for Rotor" });
      await press(page, menu);
      await page.getByRole("menu").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("menu").waitFor({ state: "detached" });
      // The focus returns to the menu button.
      await press(page, menu.and(page.locator(":focus")));
      const rotate = page.getByRole("menuitem", { name: "Rotate secret…" });
      await rotate.waitFor();
      while ((await rotate.and(page.locator(":focus")).count()) === 0) await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await press(page, page.getByRole("button", { name: "Rotate secret", exact: true }));
      const rotated = await readKey(page);
      assert.notEqual(rotated, credential);
      assert.deepEqual([await accessibleServers(credential), await accessibleServers(rotated)], [[], []]);
      await closeKey(page);
    });
  });
});
