import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser as HttpBrowser } from "#test/browser";
import { createServer } from "#test/factories";
import { GOOD_PASSWORD } from "#test/passwords";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";

const ROUTES = [
  "/",
  "/mcp-servers",
  "/mcp-servers/echo",
  "/catalog",
  "/groups",
  "/users",
  "/machine-users",
  "/connections",
  "/logs",
  "/playground",
  "/api-tokens",
  "/audit",
  "/settings",
  "/setup",
];

describe("the admin app", () => {
  let installation: Installation;
  let browser: TestBrowser;
  let owner: HttpBrowser;
  before(async () => {
    installation = await startInstallation();
    owner = await signIn(installation, "owner");
    await createServer(installation.service, "Echo");
    browser = await openBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
  });

  it("shows each of its pages without a breach of the policy, an error or a request to anybody else (WEB-1)", async () => {
    for (const route of ROUTES) {
      await browser.withPage({ as: owner }, async (page) => {
        await page.goto(route);
        await page.locator("main").waitFor();
        await page.waitForLoadState("networkidle");
        assert.equal(new URL(page.url()).pathname, route);
      });
    }
  });

  it("lets nobody in who is not signed in, and leads back to where they wanted to go", async () => {
    await browser.withPage({}, async (page) => {
      await page.goto("/logs?outcome=error");
      assert.equal(new URL(page.url()).pathname, "/sign-in");
      await page.getByLabel("E-mail").fill("owner@example.com");
      await page.getByLabel("Password").fill(GOOD_PASSWORD);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL("**/logs?outcome=error");
    });
  });
});
