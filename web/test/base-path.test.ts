import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createGroup, createServer } from "#test/factories";
import { GOOD_PASSWORD } from "#test/passwords";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";

const OWNER = "owner@example.com";

/** The proxy only serves the base path, so that a link without it fails. */
describe("the app under a base path", () => {
  let installation: Installation;
  let browser: TestBrowser;
  before(async () => {
    installation = await startInstallation({ basePath: "/tools/gatehouse" });
    await signIn(installation, "owner", OWNER);
    await createServer(installation.service, "Keyed", "https://keyed.example.com/mcp", {
      auth_settings: { authType: "proxy-api-key" },
    });
    await createGroup(installation.service, "All", { slugs: ["keyed"], emails: [OWNER] });
    browser = await openBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
  });

  it("supports signing in, navigation, changes, reloads, and signing out", async () => {
    const { url } = installation;
    await browser.withPage({}, async (page) => {
      await page.goto(`${url}/groups?q=al`);
      await page.getByLabel("Email").fill(OWNER);
      await page.getByLabel("Password").fill(GOOD_PASSWORD);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("row").filter({ hasText: "All" }).waitFor();
      assert.equal(page.url(), `${url}/groups?q=al`);
      await page.getByRole("button", { name: "Create group" }).click();
      await page.getByRole("dialog").getByLabel("Name").fill("Platform");
      await page.getByRole("dialog").getByRole("button", { name: "Create group" }).click();
      await page.waitForURL(`${url}/groups/Platform**`);
      await page.reload();
      await page.getByText("No members yet").waitFor();
      await page.getByRole("link", { name: "Connections" }).click();
      await page.getByRole("button", { name: "Enter API key for Keyed" }).waitFor();
      const logo = page.getByRole("row").filter({ hasText: "Keyed" }).locator("img");
      assert.ok((await logo.getAttribute("src"))?.startsWith("/tools/gatehouse/logos/"));
      await page.goto(`${url}/discovery/roll-out`);
      await page.getByRole("button", { name: "Copy SHA-256" }).waitFor();
      await page.getByText(`${url}/downloads/gatehouse-scan.mjs`).waitFor();
      const template = page.getByRole("link", { name: "systemd unit" });
      assert.equal(await template.getAttribute("href"), "/tools/gatehouse/downloads/mdm/gatehouse-scan.service");
      await page.goto(`${url}/connect/keyed`);
      await page.getByRole("heading", { name: "Connect Keyed" }).waitFor();
      await page.goto(`${url}/`);
      await page.getByRole("button", { name: "Account of owner" }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
      await page.waitForURL(`${url}/sign-in`);
    });
  });
});
