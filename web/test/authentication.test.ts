import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import type { Browser as HttpBrowser } from "#test/browser";
import { createServer } from "#test/factories";
import { startCustomer } from "#test/oauth/customer";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";
import { seriousFindings } from "./kit/axe.ts";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { assertFits } from "./kit/fits.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";

const INPUT = "$".concat("{input:token}");

describe("authentication of MCP servers", () => {
  let installation: Installation;
  let upstream: RawUpstream;
  let browser: TestBrowser;
  let owner: HttpBrowser;
  before(async () => {
    upstream = await startRawUpstream({
      behave: ({ headers }) => (headers["x-api-key"] === "good" ? "json" : { status: 401 }),
    });
    installation = await startInstallation();
    owner = await signIn(installation, "owner");
    browser = await openBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
    await upstream?.close();
  });
  const settings = async (slug: string) =>
    (await installation.service.api("GET", `/api/mcp-servers/${slug}`)).body.data.auth_settings;
  const choose = (page: Page, method: string) => page.getByRole("radio", { name: method }).click();
  const dialog = (page: Page) => page.getByRole("dialog");

  it("sets a shared credential, tests it before saving, and replaces and removes headers", async () => {
    await createServer(installation.service, "Tracker", upstream.url);
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/mcp-servers/tracker?tab=auth");
      await choose(page, "Shared credential");
      await page.getByLabel("Header", { exact: true }).fill("X-Api-Key");
      await page.getByLabel("Value", { exact: true }).fill("bad");
      await page.getByRole("button", { name: "Test connection" }).click();
      await page.getByText("Tracker rejected the shared credential (401)").waitFor();
      assert.equal((await settings("tracker")).sharedHeaders, undefined);
      await page.getByLabel("Value", { exact: true }).fill("good");
      await page.getByRole("button", { name: "Test connection" }).click();
      await page.getByText("The connection works. The server lists 2 tools.").waitFor();
      assert.deepEqual(await seriousFindings(page), []);
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByPlaceholder("(saved)").waitFor();
      assert.deepEqual((await settings("tracker")).sharedHeaders, { "X-Api-Key": null });
      await page.getByRole("button", { name: "Add header" }).click();
      await page.getByLabel("Header", { exact: true }).nth(1).fill("X-Team");
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByText("Enter a value for X-Team.").waitFor();
      await page.getByLabel("Value", { exact: true }).nth(1).fill("platform");
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByPlaceholder("(saved)").nth(1).waitFor();
      await page.getByRole("button", { name: "Remove header X-Team" }).click();
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByRole("button", { name: "Discard changes" }).waitFor({ state: "detached" });
      assert.deepEqual((await settings("tracker")).sharedHeaders, { "X-Api-Key": null });
      await choose(page, "None");
      await page.getByText("Saving deletes the shared credential.").waitFor();
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByRole("button", { name: "Discard changes" }).waitFor({ state: "detached" });
      assert.equal((await settings("tracker")).sharedHeaders, undefined);
    });
  });

  it("clears the Bearer prefix for another header, and tests an API key without saving it", async () => {
    await createServer(installation.service, "Keyed", upstream.url);
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/mcp-servers/keyed?tab=auth");
      await choose(page, "API key per user");
      const prefix = page.getByLabel("Prefix");
      assert.equal(await prefix.inputValue(), "Bearer ");
      await page.getByLabel("Header", { exact: true }).fill("X-Api-Key");
      assert.equal(await prefix.inputValue(), "");
      await page.getByLabel("Header", { exact: true }).fill("Authorization");
      assert.equal(await prefix.inputValue(), "Bearer ");
      await page.getByLabel("Header", { exact: true }).fill("X-Api-Key");
      await page.getByLabel("API key", { exact: true }).fill("good");
      await page.getByRole("button", { name: "Test connection" }).click();
      await page.getByText("The connection works.").waitFor();
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByRole("button", { name: "Discard changes" }).waitFor({ state: "detached" });
    });
    const { authType, headerName, headerPrefix } = await settings("keyed");
    assert.deepEqual([authType, headerName, headerPrefix], ["proxy-api-key", "X-Api-Key", ""]);
  });

  it("imports mcp.json with masked headers, asks for variables, and shows a taken name before", async () => {
    const file = `{
      // VS Code
      "inputs": [{ "id": "token", "type": "promptString", "description": "Notes API key", "password": true }],
      "servers": {
        "tracker": { "type": "http", "url": "${upstream.url}", "headers": { "X-Api-Key": "very-secret-key" } },
        "notes": { "url": "https://notes.example.com/mcp", "headers": { "Authorization": "Bearer ${INPUT}" } },
        "local": { "command": "npx" },
      },
    }`;
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/mcp-servers?add=json");
      await page.getByLabel("mcp.json", { exact: true }).fill(file);
      await page.getByText("Runs a local command").waitFor();
      await page.getByText("X-Api-Key: ••••••••").waitFor();
      await page.getByText("tracker exists.").waitFor();
      assert.equal(await page.getByLabel("Slug of tracker").inputValue(), "tracker-2");
      assert.equal(await dialog(page).getByRole("button", { name: "Add 2 servers" }).isEnabled(), false);
      await page.getByLabel("Slug of tracker").fill("tracker-eu");
      await page.getByLabel("Notes API key").fill("entered");
      assert.deepEqual(await seriousFindings(page), []);
      await dialog(page).getByRole("button", { name: "Add 2 servers" }).click();
      await page.getByRole("link", { name: "notes" }).waitFor();
    });
    assert.deepEqual((await settings("tracker-eu")).sharedHeaders, { "X-Api-Key": null });
    assert.deepEqual((await settings("notes")).sharedHeaders, { Authorization: null });
    assert.equal((await installation.service.api("GET", "/api/mcp-servers/local")).status, 404);
  });

  it("fits a small screen", async () => {
    await browser.withPage({ as: owner, width: 375, height: 812 }, async (page) => {
      await page.goto("/mcp-servers/tracker-eu?tab=auth");
      await page.getByLabel("Value", { exact: true }).waitFor();
      await assertFits(page, 375, "the Authentication tab");
    });
  });

  it("discovers OAuth settings before the first save", async () => {
    const customer = await startCustomer();
    try {
      const slug = await createServer(installation.service, "Unsaved wiki", customer.url);
      await browser.withPage({ as: owner }, async (page) => {
        await page.goto(`/mcp-servers/${slug}?tab=auth`);
        await page.getByRole("radio", { name: /OAuth per user/ }).click();
        await page.getByRole("heading", { name: "Proxy OAuth advanced settings" }).waitFor();
        await page.getByRole("button", { name: "Discover OAuth Settings" }).click();
        await page.getByText("Users can connect.").waitFor();
        assert.equal(await page.getByRole("button", { name: "Save changes" }).isDisabled(), true);
      });
      const { body } = await installation.service.api("GET", `/api/mcp-servers/${slug}`);
      assert.deepEqual([body.data.auth_settings.authType, body.data.needs_setup], ["proxy-oauth", false]);
    } finally {
      await customer.close();
    }
  });

  it("shows a changed authorization server, keeps the current one, and approves the other", async () => {
    const [customer, other] = [await startCustomer(), await startCustomer()];
    try {
      const auth_settings = { authType: "proxy-oauth" };
      const slug = await createServer(installation.service, "Signed wiki", customer.url, { auth_settings });
      await browser.withPage({ as: owner }, async (page) => {
        await page.goto(`/mcp-servers/${slug}?tab=auth`);
        const discover = page.getByRole("button", { name: "Discover OAuth Settings" });
        await discover.click();
        await page.getByText("Users can connect.").waitFor();
        const document = { resource: customer.url, authorization_servers: [other.origin] };
        customer.behaviour.resources["/.well-known/oauth-protected-resource"] = document;
        await discover.click();
        const changed = page.getByRole("region", { name: "Changed authorization server" });
        await changed.getByText(`The server now names another authorization server: ${other.origin}.`).waitFor();
        assert.deepEqual(await seriousFindings(page), []);
        await assertFits(page, 375, "the changed authorization server");
        await page.goto(`/mcp-servers/${slug}`);
        await page.getByText("The server names another authorization server.").waitFor();
        await page.getByRole("link", { name: "Review settings" }).click();
        await changed.getByRole("button", { name: "Keep current settings" }).click();
        await changed.getByText("Not approved").waitFor();
        await changed.getByRole("button", { name: "Approve" }).click();
        await changed.waitFor({ state: "detached" });
      });
      const { body } = await installation.service.api("GET", `/api/mcp-servers/${slug}`);
      assert.equal(body.data.oauth.issuer, other.origin);
    } finally {
      await customer.close();
      await other.close();
    }
  });
});
