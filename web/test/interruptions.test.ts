import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page, Route } from "playwright-core";
import type { Browser as HttpBrowser } from "#test/browser";
import { createGroup } from "#test/factories";
import { GOOD_PASSWORD } from "#test/passwords";
import { addCookies, openBrowser, type TestBrowser } from "./kit/browser.ts";
import { type ProxiedInstallation, signIn, startProxied } from "./kit/installation.ts";
import { openSettled } from "./kit/pages.ts";

const OWNER = "owner@example.com";

describe("interruptions", () => {
  let installation: ProxiedInstallation;
  let browser: TestBrowser;
  let owner: HttpBrowser;
  let admin: HttpBrowser;
  before(async () => {
    installation = await startProxied();
    owner = await signIn(installation, "owner", OWNER);
    admin = await signIn(installation, "admin");
    await createGroup(installation.service, "Engineering");
    browser = await openBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
  });

  async function fillServerForm(page: Page, name: string): Promise<void> {
    await page.goto("/mcp-servers?add=url");
    await page.getByRole("textbox", { name: "Name" }).fill(name);
    await page.getByRole("textbox", { name: "Server URL" }).fill("https://late.example.com/mcp");
  }
  const addServer = (page: Page) => page.getByRole("dialog").getByRole("button", { name: "Add server" }).click();

  async function signInInAnotherTab(page: Page): Promise<void> {
    const tab = await page.context().newPage();
    await tab.goto("/sign-in");
    await tab.getByLabel("Email").fill(OWNER);
    await tab.getByLabel("Password").fill(GOOD_PASSWORD);
    await tab.getByRole("button", { name: "Sign in", exact: true }).click();
    await tab.waitForURL(({ pathname }) => pathname !== "/sign-in");
    await tab.close();
  }

  it("keeps unsaved input when the session expires, and sends it after signing in again", async () => {
    await browser.withPage({ as: owner }, async (page, findings) => {
      findings.allowStatus(401, 403);
      await fillServerForm(page, "Late");
      // Not before the request: a poll of the page would open the dialog over the form.
      const expire = async (route: Route) => {
        await page.context().clearCookies();
        await route.continue();
      };
      await page.route("**/api/mcp-servers", expire, { times: 1 });
      await addServer(page);
      const expired = page.getByRole("dialog", { name: "Your session expired" });
      await expired.waitFor();
      await signInInAnotherTab(page);
      await expired.getByRole("button", { name: "I have signed in" }).click();
      await expired.waitFor({ state: "detached" });
      await addServer(page);
      await page.waitForURL("**/mcp-servers/late");
    });
  });

  it("sends nothing from one user's page after another user signed in", async () => {
    await browser.withPage({ as: admin }, async (page, findings) => {
      findings.allowStatus(403);
      await fillServerForm(page, "Mine");
      // Replaces the cookie, as signing in in another tab does. Without a cookie, a poll of the page would get 401.
      await addCookies(page.context(), installation.url, owner);
      await addServer(page);
      await page.getByRole("heading", { level: 1, name: "Welcome, owner" }).waitFor();
    });
    const { body } = await installation.service.api("GET", "/api/mcp-servers?search=Mine");
    assert.deepEqual(body.data, []);
  });

  const banner = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text });
  const healthDot = (page: Page, label: string) => page.getByRole("img", { name: label });

  it("reports an unreachable service on every page, and recovers automatically", async () => {
    await browser.withPage({ as: admin }, async (page, findings) => {
      findings.allowUnreachable();
      findings.allowConsole("The page could not be loaded");
      await openSettled(page, "/groups");
      await healthDot(page, "The gateway is ready").waitFor();
      installation.proxy.cut();
      await banner(page, "Gatehouse is unreachable. Retrying…").waitFor();
      await healthDot(page, "Gatehouse is unreachable").waitFor();
      // The list ends in an error state instead of skeletons, and so does a page whose code is missing.
      const alert = page.getByRole("alert").filter({ hasText: "Gatehouse is unreachable" });
      await page.getByRole("searchbox").fill("engin");
      await alert.getByRole("button", { name: "Retry" }).waitFor();
      await page.getByRole("link", { name: "MCP servers", exact: true }).click();
      await page.getByText("The page could not be loaded").waitFor();
      await installation.restart();
      installation.proxy.restore();
      await page.getByRole("heading", { level: 1, name: "MCP servers" }).waitFor();
      await healthDot(page, "The gateway is ready").waitFor();
      await banner(page, "Gatehouse is unreachable").waitFor({ state: "detached" });
    });
  });

  it("refetches a failed list when the service is back", async () => {
    await browser.withPage({ as: admin }, async (page, findings) => {
      findings.allowUnreachable();
      await openSettled(page, "/groups");
      installation.proxy.cut();
      await page.getByRole("searchbox").fill("engin");
      await page.getByRole("button", { name: "Retry" }).waitFor();
      await installation.restart();
      installation.proxy.restore();
      await page.getByRole("link", { name: "Engineering" }).waitFor();
    });
  });

  it("reports that the browser is offline, ends loading in an error, and recovers automatically", async () => {
    await browser.withPage({ as: admin }, async (page, findings) => {
      findings.allowUnreachable();
      await openSettled(page, "/groups");
      await page.context().setOffline(true);
      await banner(page, "You are offline").waitFor();
      await healthDot(page, "You are offline").waitFor();
      await page.getByRole("searchbox").fill("engin");
      await page.getByRole("button", { name: "Retry" }).waitFor();
      await page.context().setOffline(false);
      await page.getByRole("link", { name: "Engineering" }).waitFor();
      await banner(page, "You are offline").waitFor({ state: "detached" });
    });
  });

  it("reloads the app once when a new release replaced the open one", async () => {
    await browser.withPage({ as: admin }, async (page, findings) => {
      findings.allowStatus(404);
      findings.allowConsole("Failed to fetch dynamically imported module");
      await openSettled(page, "/mcp-servers");
      let loads = 0;
      page.on("request", (request) => request.isNavigationRequest() && loads++);
      // Until the app is loaded again, because a browser may request the file more than once.
      await page.route("**/assets/groups-page-*.js", (route) =>
        loads === 0 ? route.fulfill({ status: 404 }) : route.continue(),
      );
      await page.getByRole("link", { name: "Groups", exact: true }).click();
      await page.getByRole("link", { name: "Engineering" }).waitFor();
      assert.equal(loads, 1);
    });
  });
});
