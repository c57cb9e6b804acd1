import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page, Route } from "playwright-core";
import { Browser as HttpBrowser } from "#test/browser";
import { createGroup, createServer, createSyncedServer } from "#test/factories";
import { type Customer, startCustomer } from "#test/oauth/customer";
import { startRawUpstream } from "#test/upstreams/raw";
import { seriousFindings } from "./kit/axe.ts";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";

const MEMBER = "member@example.com";

describe("self-service and settings", () => {
  let installation: Installation;
  let browser: TestBrowser;
  let customer: Customer;
  let member: HttpBrowser;
  let owner: HttpBrowser;
  before(async () => {
    installation = await startInstallation();
    customer = await startCustomer();
    customer.allowKey("good-key");
    member = await signIn(installation, "member", MEMBER);
    owner = await signIn(installation, "owner");
    const { service } = installation;
    const keyed = { authType: "proxy-api-key", howtoMarkdown: "Open **Settings**, then *API keys*." };
    await createServer(service, "Keyed", customer.url, { auth_settings: keyed });
    await createServer(service, "Wiki", customer.url, { auth_settings: { authType: "proxy-oauth" } });
    await createGroup(service, "All", { slugs: ["keyed", "wiki"], emails: [MEMBER] });
    browser = await openBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
    await customer?.close();
  });

  const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });

  it("shows how many tokens the tools take, and the URL for tool search", async () => {
    const inputSchema = { type: "object", properties: { text: { description: "x".repeat(100_000) } } };
    const upstream = await startRawUpstream({ tools: [{ name: "huge", inputSchema }] });
    const slug = await createSyncedServer(installation.service, "Huge", upstream.url);
    const small = await startRawUpstream();
    const other = await createSyncedServer(installation.service, "Small", small.url);
    await createGroup(installation.service, "Large", { slugs: [slug, other], emails: [MEMBER] });
    await browser.withPage({ as: member }, async (page) => {
      await page.goto("/setup");
      await page.getByText("Your tools take about 25,000 tokens in every conversation").waitFor();
      await page.getByText("Largest: Huge (25,000), Small (").waitFor();
      await page.getByRole("switch", { name: "Tool search" }).click();
      await page.getByText("Without tool search, your tools take about 25,000 tokens").waitFor();
      await page.getByText(`/mcp?tools=search"`).waitFor();
      await page.reload();
      await page.getByText("/mcp?tools=search", { exact: false }).first().waitFor();
      assert.deepEqual(await seriousFindings(page), []);
    });
    for (const each of [slug, other]) await installation.service.api("DELETE", `/api/mcp-servers?slug=${each}`);
    await Promise.all([upstream.close(), small.close()]);
  });

  it("connects an account with an API key, tests the connection, and disconnects", async () => {
    await browser.withPage({ as: member }, async (page, findings) => {
      await page.goto("/connections");
      await row(page, "Keyed").getByText("Not connected").waitFor();
      await page.getByRole("button", { name: "Enter API key for Keyed" }).click();
      await page.getByText("API keys", { exact: true }).waitFor();
      findings.allowStatus(400);
      await page.getByLabel("API key", { exact: true }).fill("wrong");
      await page.getByRole("button", { name: "Save key" }).click();
      await page.getByText("Keyed rejected this API key (401)").waitFor();
      await page.getByLabel("API key", { exact: true }).fill("good-key");
      await page.getByRole("button", { name: "Save key" }).click();
      await page.getByText("Saved. The connection works.").waitFor();
      await page.getByRole("button", { name: "Test connection" }).click();
      await page.getByText("The connection works.", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Disconnect" }).click();
      await page.getByRole("dialog", { name: "Disconnect Keyed?" }).getByRole("button", { name: "Disconnect" }).click();
      await page.getByRole("button", { name: "Disconnect" }).first().waitFor({ state: "detached" });
      assert.equal(
        await page
          .evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
          .then((kept) => kept.includes("good-key")),
        false,
      );
    });
  });

  it("lists the user's sessions and ends another one", async () => {
    const elsewhere = new HttpBrowser(installation.service);
    await elsewhere.signIn(MEMBER);
    await browser.withPage({ as: member }, async (page) => {
      await page.goto("/account");
      const list = page.getByRole("region", { name: "Web sessions" });
      await list.getByText("Current", { exact: true }).waitFor();
      await list.getByRole("button", { name: /^Sign out/ }).click();
      await list.getByRole("button", { name: /^Sign out/ }).waitFor({ state: "detached" });
    });
    assert.equal((await elsewhere.api("GET", "/api/me")).status, 401);
  });

  it("cancels the requests of the page before it signs out", async () => {
    const leaving = await signIn(installation, "owner", "leaving@example.com");
    await browser.withPage({ as: leaving }, async (page) => {
      const { promise: loading, resolve: onLoading } = Promise.withResolvers<Route>();
      await page.route("**/api/webhooks?*", onLoading);
      await page.goto("/");
      const request = (await loading).request();
      const cancelled = page.waitForEvent("requestfailed", (failed) => failed === request);
      await page.route("**/sign-out", async (route) => {
        await cancelled;
        await route.continue();
      });
      await page.getByRole("button", { name: "Account of owner" }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
      await page.waitForURL("**/sign-in");
    });
  });

  it("creates an API token, shows it once, lists it, and revokes it", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/api-tokens");
      await page.getByRole("button", { name: "Create token" }).first().click();
      await page.getByLabel("Name").fill("Nightly report");
      await page.getByRole("dialog").getByRole("button", { name: "Create token" }).click();
      const shown = page.getByRole("dialog").locator("code").first();
      assert.match((await shown.textContent()) ?? "", /^gh/);
      await page.getByLabel("I have stored it in a safe place").check();
      await page.getByRole("button", { name: "Done" }).click();
      await row(page, "Nightly report").getByText("admin:read").waitFor();
      await page.getByRole("button", { name: "Actions for Nightly report" }).click();
      await page.getByRole("menuitem", { name: "Revoke…" }).click();
      await page.getByRole("dialog").getByRole("textbox").fill("Nightly report");
      await page.getByRole("button", { name: "Revoke token" }).click();
      await row(page, "Nightly report").waitFor({ state: "detached" });
      await page.goto("/audit?kind=api-token");
      await row(page, "Delete api token").first().click();
      await page.getByText("Changes", { exact: true }).waitFor();
    });
  });

  it("shows who is responsible for a token, and revokes a leaked one with the tokens created with it", async () => {
    const scopes = ["all"];
    const { token } = (await owner.api("POST", "/api/api-tokens", { name: "Leaked", scopes })).body;
    const authorization = `Bearer ${token}`;
    await installation.service.api("POST", "/api/api-tokens", { name: "Planted", scopes }, { authorization });
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/api-tokens");
      await row(page, "Planted")
        .getByText(/^for owner@/)
        .waitFor();
      await page.getByRole("button", { name: "Actions for Leaked" }).click();
      await page.getByRole("menuitem", { name: "Revoke…" }).click();
      await page.getByLabel("Also revoke the token created with it").check();
      await page.getByRole("dialog").getByRole("textbox").fill("Leaked");
      await page.getByRole("button", { name: "Revoke token" }).click();
      await row(page, "Planted").waitFor({ state: "detached" });
    });
  });
});
