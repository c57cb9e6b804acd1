import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { Browser as HttpBrowser, signedInAs } from "#test/browser";
import { createGroup, createMachineUser, createServer } from "#test/factories";
import { type ProviderAccount, startIdentityProvider, type TestIdentityProvider } from "#test/identity-provider";
import { type Customer, startCustomer } from "#test/oauth/customer";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";

const MEMBER = "member@example.com";
const ADA: ProviderAccount = { sub: "ada-1", email: "ada@example.com", email_verified: true, name: "Ada Lovelace" };
/** Simulates a popup blocker. */
const BLOCK_POPUPS = "window.open = () => null;";

describe("popups", () => {
  let installation: Installation;
  let browser: TestBrowser;
  let customer: Customer;
  let idp: TestIdentityProvider;
  before(async () => {
    installation = await startInstallation();
    const { service, url } = installation;
    customer = await startCustomer();
    idp = await startIdentityProvider(`${url}/sso-callback`);
    idp.account = ADA;
    for (const name of ["Wiki", "Notes"]) {
      await createServer(service, name, customer.url, { auth_settings: { authType: "proxy-oauth" } });
    }
    browser = await openBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
    await customer?.close();
    await idp?.close();
  });

  const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });

  describe("for connecting with OAuth", () => {
    let member: HttpBrowser;
    before(async () => {
      member = await signIn(installation, "member", MEMBER);
      await createGroup(installation.service, "All", { slugs: ["wiki", "notes"], emails: [MEMBER] });
    });

    it("close automatically, and the page shows the connection (WEB-7)", async () => {
      await browser.withPage({ as: member }, async (page) => {
        await page.goto("/connections");
        const opening = page.waitForEvent("popup");
        await page.getByRole("button", { name: "Connect Wiki" }).click();
        const popup = await opening;
        await row(page, "Wiki").getByText("Connected", { exact: true }).filter({ visible: true }).waitFor();
        if (!popup.isClosed()) await popup.waitForEvent("close");
      });
    });

    it("fall back to the page itself when they are blocked", async () => {
      await browser.withPage({ as: member }, async (page, findings) => {
        findings.allowOrigin(customer.origin);
        await page.addInitScript(BLOCK_POPUPS);
        await page.goto("/connections");
        await page.getByRole("button", { name: "Connect Notes" }).click();
        await page.getByText("Notes is connected for member@example.com").waitFor();
        assert.equal(new URL(page.url()).search, "", "the parameters are removed from the URL");
        await page.getByRole("link", { name: "Your connections" }).click();
        await row(page, "Notes").getByText("Connected", { exact: true }).filter({ visible: true }).waitFor();
      });
    });
  });

  describe("for confirming the identity", () => {
    let ada: HttpBrowser;
    const main = () => installation.database.databases.main;
    before(async () => {
      const { service } = installation;
      await createMachineUser(service, "Build bot");
      await signedInAs(service, "owner", ADA.email);
      const { issuer, clientId: client_id, clientSecret: client_secret } = idp;
      const sso = { issuer, client_id, client_secret, allowed_domains: ["example.com"] };
      assert.equal((await service.api("PATCH", "/api/settings", { sso })).status, 200);
      ada = new HttpBrowser(service);
      const start = await ada.get("/sso");
      await ada.get(`/sso-callback${(await idp.walk(String(start.headers.location))).search}`);
      await main().deleteFrom("passwords").execute();
    });
    const reveal = (page: Page) => page.getByRole("button", { name: "Reveal the secret of Build bot" }).click();
    const bySso = (page: Page) => page.getByRole("button", { name: "Confirm with single sign-on" }).click();

    it("use single sign-on for users without a password, then reveal the secret", async () => {
      await browser.withPage({ as: ada }, async (page, findings) => {
        findings.allowStatus(403);
        await page.goto("/machine-users/build-bot");
        await reveal(page);
        await bySso(page);
        await page.getByText(/^gh_sk_/).waitFor();
      });
    });

    it("return to the same page when they are blocked", async () => {
      await main().updateTable("web_sessions").set({ authenticated_at: 0 }).execute();
      await browser.withPage({ as: ada }, async (page, findings) => {
        findings.allowStatus(403);
        findings.allowOrigin(idp.issuer);
        await page.addInitScript(BLOCK_POPUPS);
        await page.goto("/machine-users?q=build");
        await reveal(page);
        // The URL is the same before and after.
        const returned = page.waitForEvent("load");
        await bySso(page);
        await returned;
        await reveal(page);
        await page.getByText(/^gh_sk_/).waitFor();
      });
    });
  });
});
