import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { Browser as HttpBrowser, signedInAs } from "#test/browser";
import { shiftableClock } from "#test/clock";
import { createGroup, createMachineUser, createPerson, createSyncedServer } from "#test/factories";
import { GOOD_PASSWORD } from "#test/passwords";
import { type EchoUpstream, startEchoUpstream } from "#test/upstreams/echo";
import { seriousFindings } from "./kit/axe.ts";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { assertFits } from "./kit/fits.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";

const ADA = "ada@acme.example";
const STRANGE = "R&D / 50% #1?";
/** Pastes a spreadsheet column into the focused field. */
const PASTE = `{
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", "${ADA}\\nhostile@acme.example\\nnobody@acme.example");
  document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}`;
const HOSTILE = "<img src=x onerror=alert(1)>";

describe("the pages of groups, users, and machine users", () => {
  const clock = shiftableClock();
  let installation: Installation;
  let browser: TestBrowser;
  let upstream: EchoUpstream;
  let owner: HttpBrowser;
  before(async () => {
    installation = await startInstallation({ clock });
    const { service } = installation;
    upstream = await startEchoUpstream({ tools: ["create_issue", "search"] });
    owner = await signIn(installation, "owner");
    await createPerson(service, "Ada Lovelace", ADA);
    await createPerson(service, HOSTILE, "hostile@acme.example");
    await createSyncedServer(service, "GitHub", upstream.url);
    await createSyncedServer(service, "Wiki", upstream.url);
    await createGroup(service, "Engineering", { slugs: ["github"], emails: [ADA, "hostile@acme.example"] });
    await createGroup(service, "Writers", { slugs: ["wiki"] });
    await createGroup(service, STRANGE);
    await createMachineUser(service, "Build bot");
    browser = await openBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
    await upstream?.close();
  });

  const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });
  const dialog = (page: Page) => page.getByRole("dialog");
  const pick = async (page: Page, label: string, name: string) => {
    await dialog(page).getByLabel(label).fill(name);
    await page.getByRole("option", { name }).click();
  };

  it("creates a group, adds a server and members, pastes emails, undoes a removal, and deletes the group by name", async () => {
    await browser.withPage({ as: owner }, async (page, findings) => {
      await page.goto("/groups");
      await page.getByRole("button", { name: "Create group" }).click();
      await dialog(page).getByLabel("Name").fill("Platform");
      await dialog(page).getByRole("button", { name: "Create group" }).click();
      await page.getByText("No members yet").waitFor();
      await page.getByRole("button", { name: "Add members" }).first().click();
      await pick(page, "Users and machine users", "Build bot");
      await dialog(page).getByRole("button", { name: "Add member" }).click();
      await row(page, "build-bot").waitFor();
      await page.getByRole("button", { name: "Remove Build bot from Platform" }).click();
      await page.getByText("No members yet").waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      await row(page, "build-bot").waitFor();
      await page.getByRole("button", { name: "Add members" }).first().click();
      await dialog(page).getByLabel("Users and machine users").fill("Build bot");
      await page.getByText("No results").waitFor();
      await dialog(page).getByLabel("Users and machine users").fill("");
      await dialog(page).getByLabel("Users and machine users").focus();
      await page.evaluate(PASTE);
      findings.allowStatus(400);
      await dialog(page).getByRole("button", { name: "Add 3 members" }).click();
      await dialog(page).getByRole("button", { name: "Remove nobody@acme.example" }).click();
      await dialog(page).getByRole("button", { name: "Add 2 members" }).click();
      await row(page, "Ada Lovelace").waitFor();
      await page.getByText("Added 2 members").waitFor();
      await page.getByRole("link", { name: "Servers 0" }).click();
      await page.getByRole("button", { name: "Add servers" }).first().click();
      await pick(page, "MCP servers", "Wiki");
      await dialog(page).getByRole("button", { name: "Add server" }).click();
      await row(page, "Wiki").getByText("Active").filter({ visible: true }).waitFor();
      await page.getByRole("button", { name: "Add servers" }).first().click();
      await dialog(page).getByLabel("MCP servers").fill("Wiki");
      await page.getByText("No results").waitFor();
      await page.keyboard.press("Escape");
      await dialog(page).getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("link", { name: "Settings" }).and(page.locator("main *")).click();
      await page.getByRole("switch", { name: "Show drafts" }).click();
      await page.getByRole("switch", { name: "Show drafts", checked: true }).waitFor();
      await page.getByText("Saved", { exact: true }).waitFor();
      const limits = page.getByRole("region", { name: "Rate limits" });
      await limits.getByLabel("Calls per minute").fill("1200");
      await limits.getByRole("button", { name: "Save changes" }).click();
      const saved = async () => (await installation.service.api("GET", "/api/groups/Platform")).body.data.limits;
      while ((await saved()).calls_per_minute === null) await page.waitForTimeout(20);
      assert.deepEqual(await saved(), { calls_per_minute: 1200, concurrent_calls: null });
      assert.equal(await limits.getByLabel("Calls per minute").inputValue(), "1,200");
      assert.deepEqual(await seriousFindings(page), []);
      await page.getByRole("button", { name: "Delete group…" }).click();
      await dialog(page).getByRole("textbox").fill("Platform");
      await dialog(page).getByRole("button", { name: "Delete group" }).click();
      await page.waitForURL("**/groups");
      await row(page, "Engineering").waitFor();
      assert.equal(await row(page, "Platform").count(), 0);
    });
  });

  it("lists the tools of a user with reasons, explains an unavailable tool, and fixes it with one click", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto(`/access?email=${ADA}`);
      await page.getByText("Access through group Engineering").waitFor();
      await page.getByRole("searchbox").fill("wiki__");
      await page.getByRole("button", { name: "wiki__search" }).click();
      await dialog(page).getByText("No group gives the user access to this server.").waitFor();
      assert.equal(new URL(page.url()).searchParams.get("tool"), "wiki__search");
      await dialog(page).getByRole("button", { name: "Add to Writers" }).click();
      await dialog(page).getByText("The user can call this tool.").waitFor();
      await page.reload();
      await dialog(page).getByText("The user can call this tool.").waitFor();
    });
  });

  it("shows a working access key once, asks for the password before revealing, and hides the secret again (WEB-8)", async () => {
    await browser.withPage({ as: owner }, async (page, findings) => {
      await page.clock.install();
      await page.goto("/machine-users?add=machine-user");
      await dialog(page).getByLabel("Name").fill("Nightly report");
      await pick(page, "Groups", "Engineering");
      await dialog(page).getByRole("button", { name: "Create machine user" }).click();
      await page.getByRole("dialog", { name: "Access key for Nightly report" }).waitFor();
      const [key = "", secret = ""] = await dialog(page).locator("code").allTextContents();
      const listed = await installation.service.mcp(`${key}:${secret}`, {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/list",
      });
      assert.match(listed.text, /github__search/);
      await page.getByLabel("I have stored it in a safe place").check();
      await page.getByRole("button", { name: "Done" }).click();
      await row(page, "nightly-report").getByText("Engineering").waitFor();
      assert.equal((await page.content()).includes(secret), false);
      findings.allowStatus(403);
      clock.shiftMs += 6 * 60 * 1000;
      await page.getByRole("button", { name: "Reveal the secret of Nightly report" }).click();
      await dialog(page).getByLabel("Your password").fill(GOOD_PASSWORD);
      await dialog(page).getByRole("button", { name: "Confirm" }).click();
      await page.getByText(secret).waitFor();
      await page.clock.fastForward(31_000);
      await page.getByText(secret).waitFor({ state: "detached" });
      const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
      assert.equal(`${kept} ${page.url()}`.includes(secret), false);
    });
  });

  it("shows when the old secret expires, and adds and removes an OAuth client", async () => {
    await browser.withPage({ as: owner }, async (page, findings) => {
      await page.goto("/machine-users/build-bot");
      await page.getByRole("button", { name: "Rotate secret" }).click();
      await dialog(page).getByRole("button", { name: "Rotate secret" }).click();
      await page.getByRole("dialog", { name: "Access key for Build bot" }).waitFor();
      await page.getByLabel("I have stored it in a safe place").check();
      await page.getByRole("button", { name: "Done" }).click();
      await page.getByText("Valid, expires").waitFor();
      await page.getByRole("button", { name: "Revoke old secret now…" }).click();
      await dialog(page).getByRole("button", { name: "Revoke old secret" }).click();
      await page.getByText("Valid, expires").waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Add OAuth client" }).click();
      await dialog(page).getByLabel("Client ID").fill("bot");
      findings.allowStatus(400);
      await dialog(page).getByRole("button", { name: "Save client" }).click();
      await dialog(page).getByText("clientSecret is required").waitFor();
      await dialog(page).getByLabel("Client secret").fill("s3cr3t");
      await dialog(page).getByLabel("Token URL").fill("https://login.example.com/token");
      await dialog(page).getByRole("button", { name: "Save client" }).click();
      await page.getByText("https://login.example.com/token").waitFor();
      assert.equal((await page.content()).includes("s3cr3t"), false);
      await page.getByRole("button", { name: "Remove…" }).click();
      await dialog(page).getByRole("textbox").fill("build-bot");
      await dialog(page).getByRole("button", { name: "Remove client" }).click();
      await page.getByRole("button", { name: "Add OAuth client" }).waitFor();
    });
  });

  it("adds a user with an invitation link, disables, enables, and deletes the user by email", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/users");
      await page.getByRole("button", { name: "Add user" }).click();
      await dialog(page).getByLabel("Name").fill("Grace Hopper");
      await dialog(page).getByLabel("Email").fill("grace@acme.example");
      await dialog(page).getByRole("button", { name: "Add user" }).click();
      await page.getByRole("dialog", { name: "Invitation link for Grace Hopper" }).waitFor();
      assert.match((await dialog(page).locator("code").textContent()) ?? "", /\/invite#/);
      await dialog(page).getByRole("button", { name: "Done" }).click();
      await row(page, "Grace Hopper").getByText("Invited").waitFor();
      await page.getByRole("link", { name: "Grace Hopper" }).click();
      await page.getByLabel("Risk score").fill("30");
      await page.getByRole("button", { name: "Disable…" }).click();
      await dialog(page).getByRole("button", { name: "Disable user" }).click();
      await page.getByRole("button", { name: "Enable…" }).waitFor();
      assert.equal(await page.getByLabel("Risk score").inputValue(), "30", "disabling keeps what was typed");
      await page.getByRole("button", { name: "Enable…" }).click();
      await dialog(page).getByRole("button", { name: "Enable user" }).click();
      await page.getByRole("button", { name: "Disable…" }).waitFor();
      await page.getByRole("button", { name: "Delete…" }).click();
      await dialog(page).getByRole("textbox").fill("grace@acme.example");
      await dialog(page).getByRole("button", { name: "Delete user" }).click();
      await page.waitForURL("**/users");
      await row(page, "Ada Lovelace").waitFor();
      assert.equal(await row(page, "Grace Hopper").count(), 0);
    });
  });

  it("resets an account after a confirmation, only for owners, and notifies the person", async () => {
    const { service } = installation;
    const email = "joan@acme.example";
    await signedInAs(service, "member", email);
    const admin = await signedInAs(service, "admin", "admin@acme.example");
    await browser.withPage({ as: admin }, async (page) => {
      await page.goto(`/users/${email}`);
      await page.getByRole("button", { name: "Disable…" }).waitFor();
      assert.equal(await page.getByRole("button", { name: /Reset account|invitation link/ }).count(), 0);
    });
    const url = await browser.withPage({ as: owner }, async (page) => {
      await page.goto(`/users/${email}`);
      await page.getByRole("button", { name: "Reset account…" }).click();
      await dialog(page)
        .getByText(/deletes the connections, web sessions, MCP clients, and API tokens of member/)
        .waitFor();
      await dialog(page).getByRole("button", { name: "Create invitation link" }).click();
      await page.getByRole("dialog", { name: "Invitation link for member" }).waitFor();
      const link = await dialog(page).locator("code").textContent();
      await dialog(page).getByRole("button", { name: "Done" }).click();
      await page.getByText(/^Created by owner@/).waitFor();
      return link ?? "";
    });
    const joan = new HttpBrowser(service);
    await joan.accept(url);
    await browser.withPage({ as: joan, width: 375 }, async (page) => {
      await page.goto("/connections");
      const notice = page.getByRole("status").filter({ hasText: "Your account was reset" });
      await notice.getByText(/with an invitation link that owner@\S+ created, used from /).waitFor();
      assert.deepEqual(await seriousFindings(page), []);
      await assertFits(page, 375, "the notice");
      await notice.getByRole("button", { name: "Close notice" }).click();
      await page.reload();
      await page.getByRole("heading", { name: "Connections" }).waitFor();
      assert.equal(await notice.count(), 0);
    });
    for (const each of [email, "admin@acme.example"]) await service.api("DELETE", `/api/users?email=${each}`);
  });

  it("saves name, role, and risk score together, confirms the role, and filters users by role", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/users");
      await row(page, "Ada Lovelace").waitFor();
      assert.equal(await page.getByText("Risk", { exact: true }).count(), 0);
      await page.goto(`/users/${ADA}`);
      await page.getByLabel("Name", { exact: true }).fill("Ada King");
      await page.getByRole("combobox", { name: "Role" }).click();
      await page.getByRole("option", { name: "Auditor" }).click();
      await page.getByLabel("Risk score").fill("20");
      await page.getByRole("button", { name: "Save changes" }).click();
      await dialog(page).getByText("changes from Member to Auditor").waitFor();
      await dialog(page).getByRole("button", { name: "Change role" }).click();
      await page.getByText("Saved", { exact: true }).waitFor();
      await page.getByRole("heading", { name: "Ada King" }).waitFor();
      await page.goto("/users");
      await page.getByRole("combobox", { name: "Role" }).click();
      await page.getByRole("option", { name: "Auditor" }).click();
      await page.waitForURL(/[?&]role=auditor/);
      // The unfiltered rows stay until the filtered list has arrived.
      await page.getByRole("row").nth(2).waitFor({ state: "detached" });
      await row(page, "Ada King").getByText("20", { exact: true }).waitFor();
      assert.equal(await page.getByRole("row").count(), 2);
    });
  });

  it("renders hostile names as text, and reports unknown groups and users", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      for (const [path, shown] of [
        ["/groups/Engineering", HOSTILE],
        ["/users", HOSTILE],
        ["/users/hostile@acme.example", HOSTILE],
        [`/groups/${encodeURIComponent(STRANGE)}`, "No members yet"],
        ["/groups/Nowhere", "Group not found"],
        ["/users/nobody@acme.example", "User not found"],
        ["/machine-users/nothing", "Machine user not found"],
      ] as const) {
        await page.goto(path);
        await page.getByText(shown).first().waitFor();
      }
    });
  });
});
