import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import type { Browser as HttpBrowser } from "#test/browser";
import { createGroup, createMachineUser, createPerson, createServer, createSyncedServer } from "#test/factories";
import { type EchoUpstream, startEchoUpstream } from "#test/upstreams/echo";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";

const ADA = "ada@acme.example";
const EVE = "eve@acme.example";

describe("the access page", () => {
  let installation: Installation;
  let browser: TestBrowser;
  let upstream: EchoUpstream;
  let owner: HttpBrowser;
  before(async () => {
    installation = await startInstallation({});
    const { service } = installation;
    upstream = await startEchoUpstream({ tools: ["create_issue", "search"] });
    owner = await signIn(installation, "owner");
    await createPerson(service, "Ada Lovelace", ADA);
    await createPerson(service, "Eve Adams", EVE);
    await createMachineUser(service, "Build bot");
    const bot = "build-bot@machine.acme.example";
    await createSyncedServer(service, "GitHub", upstream.url);
    await createServer(service, "Tracker", upstream.url, {
      auth_settings: { authType: "proxy-api-key" },
      status: "active",
    });
    await createServer(service, "Drive", upstream.url, {
      auth_settings: { authType: "proxy-oauth" },
      status: "active",
    });
    await createGroup(service, "Engineering", { slugs: ["github", "tracker", "drive"], emails: [ADA, bot] });
    browser = await openBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
    await upstream?.close();
  });

  const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });
  const dialog = (page: Page) => page.getByRole("dialog");
  const toast = (page: Page, text: string) => page.getByRole("alert").filter({ hasText: text });

  it("restricts a group to selected tools, explains it, and restores it with the server", async () => {
    const granted = async () => {
      const { body } = await installation.service.api("GET", "/api/access/grants?group=Engineering&server=github");
      return [body.data[0].tools, body.data[0].new_tools];
    };
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/groups/Engineering?tab=servers");
      await page.getByRole("button", { name: "Select tools of GitHub for Engineering: All 4" }).click();
      await dialog(page).getByText("Selected tools").click();
      await dialog(page).getByRole("button", { name: "Select none" }).click();
      await dialog(page).getByRole("searchbox", { name: "Search tools" }).fill("sea");
      await dialog(page).getByRole("checkbox", { name: "search" }).check();
      await dialog(page).getByText("1 of 4 selected").waitFor();
      await dialog(page).getByRole("button", { name: "Save" }).click();
      await page.getByRole("button", { name: "Select tools of GitHub for Engineering: 1 of 4" }).waitFor();
      assert.deepEqual(await granted(), [["search"], "hold"]);

      await page.getByRole("button", { name: "Remove GitHub from Engineering" }).click();
      await toast(page, "Removed GitHub").getByRole("button", { name: "Undo" }).click();
      await page.getByRole("button", { name: "Select tools of GitHub for Engineering: 1 of 4" }).waitFor();
      assert.deepEqual(await granted(), [["search"], "hold"]);

      await page.goto(`/access?email=${ADA}&tool=github__create_issue`);
      await page.getByText("Group Engineering grants this server but not this tool").waitFor();
      await page.goto("/mcp-servers/github?tab=access");
      await page.getByRole("button", { name: "Select tools of GitHub for Engineering: 1 of 4" }).click();
      await dialog(page).getByText("All tools").click();
      await dialog(page).getByRole("button", { name: "Save" }).click();
      await page.getByRole("button", { name: "Select tools of GitHub for Engineering: All 4" }).waitFor();
      assert.deepEqual(await granted(), [null, "include"]);
    });
  });

  it("finds a tool, lists who can call it, and gives a user access from the explanation", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/access");
      await page.getByRole("link", { name: "By tool or server" }).click();
      await page.getByRole("combobox", { name: "Tool or server" }).fill("search");
      await page.getByRole("option", { name: "github__search" }).click();
      await page.getByText("2 can call · 2 without access").waitFor();
      await row(page, "Ada Lovelace").getByText("Engineering").waitFor();
      await row(page, "Eve Adams").getByText("No group gives the user access").waitFor();
      await row(page, "Eve Adams").getByRole("button").click();
      await dialog(page).getByRole("button", { name: "Add to Engineering" }).click();
      await dialog(page).getByText("The user can call this tool.").waitFor();
      await toast(page, "Added eve@acme.example to Engineering").getByRole("button", { name: "Undo" }).click();
      await dialog(page).getByText("No group gives the user access to this server.").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("combobox", { name: "Access" }).click();
      await page.getByRole("option", { name: "Allowed" }).click();
      await row(page, "Eve Adams").waitFor({ state: "detached" });
      assert.equal(new URL(page.url()).searchParams.get("verdict"), "allowed");
    });
  });

  it("enables a disabled tool, activates a draft, and enables a user from the explanation, each with undo", async () => {
    const { service } = installation;
    await service.api("PATCH", "/api/mcp-servers/tools?slug=github", { disable: ["search"] });
    await service.api("PATCH", "/api/mcp-servers?slug=github", { status: "draft" });
    await service.api("PATCH", `/api/users?email=${ADA}`, { disabled: true });
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/access?tab=tool&tool=github__search");
      await page.getByText("No user can call this tool. Enable the tool.").waitFor();
      await page.goto(`/access?email=${ADA}&tool=github__search`);
      await dialog(page).getByRole("button", { name: "Enable user" }).click();
      await dialog(page).getByRole("button", { name: "Show drafts in Engineering" }).waitFor();
      await dialog(page).getByRole("button", { name: "Activate server" }).click();
      await dialog(page).getByRole("button", { name: "Enable tool" }).click();
      await dialog(page).getByText("The user can call this tool.").waitFor();
      await toast(page, "Enabled github__search").getByRole("button", { name: "Undo" }).click();
      await dialog(page).getByText("The tool is disabled.").first().waitFor();
      await dialog(page).getByRole("button", { name: "Enable tool" }).click();
      await dialog(page).getByText("The user can call this tool.").waitFor();
    });
  });

  it("connects a user with an API key, and a machine user with a connect link, also at 375 px", async () => {
    await browser.withPage({ as: owner, width: 375, height: 812 }, async (page) => {
      await page.goto(`/users/${ADA}?tab=connections`);
      await page.getByRole("button", { name: "Enter API key for Ada Lovelace on Tracker" }).click();
      await dialog(page).getByLabel("API key").first().fill("k-1");
      await dialog(page).getByRole("button", { name: "Test and save" }).click();
      await toast(page, "Connected Ada Lovelace to Tracker").waitFor();
      await row(page, "Tracker").getByText("Connected", { exact: true }).waitFor();
      await page.goto("/machine-users/build-bot?tab=connections");
      await page.getByRole("button", { name: "Connect account for Build bot on Drive" }).click();
      await page.getByRole("dialog", { name: "Connect link for Build bot" }).waitFor();
      assert.match((await dialog(page).locator("code").textContent()) ?? "", /\/connect\/link\/gh_cl_/);
      await dialog(page).getByRole("link", { name: "Open link" }).waitFor();
    });
  });

  it("offers the connection in the explanation", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/access?email=build-bot@machine.acme.example&tool=tracker__search");
      await dialog(page).getByRole("button", { name: "Enter API key for Build bot on Tracker" }).waitFor();
      await dialog(page).getByRole("link", { name: "Who can call this tool" }).click();
      await page.getByText("1 can call · 1 not connected").waitFor();
    });
  });

  it("lets a member request access, and an admin grant it into a group", async () => {
    const member = await signIn(installation, "member");
    await browser.withPage({ as: member }, async (page) => {
      await page.goto("/connections");
      await page.getByRole("link", { name: "All servers" }).click();
      await row(page, "GitHub").getByText("No access").waitFor();
      await row(page, "GitHub").getByRole("button", { name: "Request access to GitHub" }).click();
      await dialog(page).getByRole("combobox", { name: "Tools" }).fill("sea");
      await page.getByRole("option", { name: "search" }).click();
      await dialog(page).getByRole("textbox", { name: "Reason" }).fill("To find issues");
      await dialog(page).getByRole("button", { name: "Request access" }).click();
      await row(page, "GitHub").getByText("Requested").first().waitFor();
    });
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/");
      await page.getByRole("link", { name: "Review requests" }).click();
      await page.getByRole("link", { name: "Requests 1" }).waitFor();
      await row(page, "To find issues").getByRole("button").click();
      await dialog(page).getByRole("combobox", { name: "Group" }).fill("Searchers");
      await dialog(page).getByText("Creates group Searchers.").waitFor();
      await dialog(page).getByRole("button", { name: "Approve" }).click();
      await row(page, "To find issues").getByText("Approved").waitFor();
    });
    await browser.withPage({ as: member }, async (page) => {
      await page.goto("/connections?tab=requests");
      await row(page, "GitHub").getByText("Through group Searchers").waitFor();
      await page.goto("/connections?tab=more");
      await row(page, "GitHub").getByText("1 of 4 tools").waitFor();
      await page.goto("/my-calls");
      await page.getByText("No calls yet").waitFor();
    });
  });
});
