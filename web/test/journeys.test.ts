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

/** Presses what a mouse would click on. */
async function press(page: Page, target: Locator, key = "Enter"): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Both halves of the key that is shown once. */
async function readKey(page: Page): Promise<string> {
  const shown = dialog(page).locator("code");
  await shown.first().waitFor();
  return (await shown.allTextContents()).slice(0, 2).join(":");
}

async function closeKey(page: Page): Promise<void> {
  await press(page, page.getByLabel("I have kept it somewhere safe"), "Space");
  await press(page, page.getByRole("button", { name: "Done" }));
  await dialog(page).waitFor({ state: "detached" });
}

/** A terminal, into which people paste what the page gave them. */
const inTerminal = promisify(execFile);
const MOST_INTERACTIONS = 12;

describe("the first hour", () => {
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

  it("somebody becomes the owner and follows the list to the first call, in at most twelve steps, without a mouse", async () => {
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
      await act(button("Add the sample"));
      await ticked(1);
      await act(button("Create group"));
      await ticked(2);
      await act(button("Create machine user"));
      await dialog(page).waitFor();
      await act(button("Copy curl command with the key"));
      const command = await page.evaluate<string>("navigator.clipboard.readText()");
      await act(page.getByLabel("I have kept it somewhere safe"), "Space");
      await act(button("Done"));

      await ticked(3);
      await page.getByText("Waiting for your first call…").waitFor();
      interactions++;
      const { stdout } = await inTerminal("bash", ["-c", command]);
      assert.match(stdout, /"text":"Hello"/);
      await ticked(4);
      await act(page.getByRole("link", { name: "Look at the call" }));
      await dialog(page).getByRole("heading", { name: "echo" }).waitFor();
      await dialog(page).getByText("first-agent@machine.acme.example").waitFor();
      assert.ok(interactions <= MOST_INTERACTIONS, `${interactions} interactions`);
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

  it("a person signs in at a customer's server in a window of its own, by the keyboard alone (WEB-7)", async () => {
    await browser.withPage({ as: member }, async (page) => {
      await page.goto("/connections");
      const opened = page.waitForEvent("popup");
      await press(page, page.getByRole("button", { name: "Connect Wiki" }));
      await opened;
      await row(page, "Wiki").getByText("Connected").waitFor();
      assert.equal(customer.to("/token").length, 1);
    });
  });

  it("a group is granted to a machine user and taken away again by the keyboard alone, and the gateway follows", async () => {
    const { service } = installation;
    const bot = await createMachineUser(service, "Bot");
    await createGroup(service, "Robots", { slugs: ["echo"] });
    assert.deepEqual(await reachOf(bot.credential), []);
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/groups/Robots");
      await press(page, page.getByRole("button", { name: "Add members" }).first());
      await tabTo(page, page.getByRole("combobox", { name: "Users and machine users" }));
      // All are offered until what was typed has been looked for.
      const found = page.waitForResponse(/search=Bot/);
      await page.keyboard.type("Bot");
      await found;
      await page.getByRole("option").nth(1).waitFor({ state: "detached" });
      await page.getByRole("option", { name: "Bot" }).waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await press(page, page.getByRole("button", { name: "Add member", exact: true }));
      await row(page, "Bot").waitFor();
      assert.deepEqual(await reachOf(bot.credential), ["echo"]);
      await press(page, page.getByRole("button", { name: "Remove Bot from Robots" }));
      await page.getByText("No members yet").waitFor();
      assert.deepEqual(await reachOf(bot.credential), []);
    });
  });

  it("a machine user's secret is revealed, and rotated without an interruption, by the keyboard alone", async () => {
    const { credential } = await createMachineUser(installation.service, "Rotor");
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/machine-users");
      await press(page, page.getByRole("button", { name: "Reveal the secret of Rotor" }));
      await page.getByText(credential.split(":")[1] ?? "", { exact: true }).waitFor();
      const menu = page.getByRole("button", { name: "Actions for Rotor" });
      await press(page, menu);
      await page.getByRole("menu").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("menu").waitFor({ state: "detached" });
      // Where it was before.
      await press(page, menu.and(page.locator(":focus")));
      const rotate = page.getByRole("menuitem", { name: "Rotate secret…" });
      await rotate.waitFor();
      while ((await rotate.and(page.locator(":focus")).count()) === 0) await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await press(page, page.getByRole("button", { name: "Rotate secret", exact: true }));
      const rotated = await readKey(page);
      assert.notEqual(rotated, credential);
      assert.deepEqual([await reachOf(credential), await reachOf(rotated)], [[], []]);
      await closeKey(page);
    });
  });
});
