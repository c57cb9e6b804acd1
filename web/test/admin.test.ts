import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import type { Browser as HttpBrowser } from "#test/browser";
import { GOOD_PASSWORD } from "#test/passwords";
import { seriousFindings } from "./kit/axe.ts";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";

describe("administration pages", () => {
  let installation: Installation;
  let browser: TestBrowser;
  let owner: HttpBrowser;
  before(async () => {
    installation = await startInstallation();
    owner = await signIn(installation, "owner");
    browser = await openBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
  });

  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
  const saveBar = (page: Page) => page.getByRole("region", { name: "Unsaved changes" });

  describe("settings", () => {
    it("saves all changes of a page together and restores a default from an empty field", async () => {
      await browser.withPage({ as: owner }, async (page) => {
        await page.goto("/settings/limits");
        const perMinute = page.getByLabel("Calls per minute");
        const queued = page.getByLabel("Queued calls");
        await perMinute.waitFor();
        assert.equal(await saveBar(page).count(), 0);
        await perMinute.fill("120");
        await queued.fill("64");
        await button(page, "Save changes").click();
        await page.getByText("Saved", { exact: true }).waitFor();
        await saveBar(page).waitFor({ state: "detached" });
        await page.reload();
        assert.deepEqual([await perMinute.inputValue(), await queued.inputValue()], ["120 calls", "64 calls"]);
        await perMinute.fill("");
        await button(page, "Save changes").click();
        await saveBar(page).waitFor({ state: "detached" });
        await page.reload();
        assert.equal(await perMinute.inputValue(), "0 calls");
      });
    });

    it("discards changes, and asks before a link discards them", async () => {
      await browser.withPage({ as: owner }, async (page) => {
        await page.goto("/settings/logs");
        const field = page.getByLabel("Audit log retention");
        await field.fill("400");
        await button(page, "Discard").click();
        await saveBar(page).waitFor({ state: "detached" });
        assert.equal(await field.inputValue(), "365 days");
        await field.fill("400");
        await page.getByRole("link", { name: "About" }).click();
        await page.getByRole("dialog", { name: "Discard unsaved changes?" }).waitFor();
        await button(page, "Keep editing").click();
        assert.equal(await field.inputValue(), "400 days");
        await page.getByRole("link", { name: "About" }).click();
        await button(page, "Discard changes").click();
        await page.getByText("This installation").waitFor();
      });
    });

    it("shows errors at the field", async () => {
      await browser.withPage({ as: owner }, async (page, findings) => {
        await page.goto("/settings/logs");
        await page.getByLabel("Audit log retention").fill("3");
        await button(page, "Save changes").click();
        await page.getByText("Enter a number from 30 to 3,650").waitFor();
        await button(page, "Discard").click();
        findings.allowStatus(400);
        await page.goto("/settings");
        await page.getByLabel("Help contact").fill("not a contact");
        await button(page, "Save changes").click();
        await page.getByText("Must be an email, or an http or https URL").waitFor();
        await page.getByLabel("Help contact").fill("help@acme.example");
        await button(page, "Save changes").click();
        await page.getByText("Saved", { exact: true }).waitFor();
      });
    });

    it("sets up single sign-on, and confirms its removal", async () => {
      await browser.withPage({ as: owner }, async (page) => {
        await page.goto("/settings/sign-in");
        const toggle = page.getByRole("switch", { name: "Single sign-on" });
        await toggle.click();
        await button(page, "Save changes").click();
        await page.getByText("Enter the issuer URL").waitFor();
        await page.getByLabel("Issuer").fill("https://idp.example.com");
        await page.getByLabel("Client ID").fill("gatehouse");
        await page.getByRole("combobox", { name: "Allowed email domains" }).fill("example.com");
        await page.keyboard.press("Enter");
        await button(page, "Save changes").click();
        await saveBar(page).waitFor({ state: "detached" });
        assert.deepEqual(await seriousFindings(page), []);
        await page.reload();
        assert.equal(await page.getByLabel("Client ID").inputValue(), "gatehouse");
        await toggle.click();
        await button(page, "Save changes").click();
        await page.getByRole("dialog").getByRole("textbox").fill("remove");
        await button(page, "Remove single sign-on").click();
        await saveBar(page).waitFor({ state: "detached" });
        assert.equal(await toggle.isChecked(), false);
      });
    });

    it("shows the purposes of the data keys on a narrow page", async () => {
      await browser.withPage({ as: owner, width: 375 }, async (page) => {
        await page.goto("/settings/keys");
        const name = page.getByRole("table", { name: "Data keys" }).getByText("Connection", { exact: true }).first();
        await name.waitFor();
        const box = await name.boundingBox();
        assert.ok(box && box.width > 40 && box.x + box.width <= 375, JSON.stringify(box));
      });
    });
  });

  describe("audit log", () => {
    it("shows who changed what on a narrow page, and the changed values", async () => {
      await owner.api("PATCH", "/api/settings", { call_log_retention_days: 45 });
      await browser.withPage({ as: owner, width: 375 }, async (page) => {
        await page.goto("/audit?kind=settings");
        const entry = page.getByRole("row").filter({ hasText: "Update settings" }).first();
        await entry.getByText("owner@example.com").waitFor();
        await entry.click();
        const drawer = page.getByRole("dialog");
        await drawer.getByText("Call log retention days").waitFor();
        assert.deepEqual(
          [await drawer.locator("del").first().textContent(), await drawer.locator("ins").first().textContent()],
          ["90", "45"],
        );
        assert.deepEqual(await seriousFindings(page), []);
      });
      await owner.api("PATCH", "/api/settings", { call_log_retention_days: null });
    });

    it("shows up to which entry the log is verified, and a failed verification", async () => {
      const db = installation.database.databases.main;
      const verified = { seq: 1204, entry_at: Date.now(), verified_at: Date.now() };
      await db.updateTable("audit_verification").set(verified).execute();
      await browser.withPage({ as: owner, width: 375 }, async (page) => {
        await page.goto("/audit");
        await page.getByText("Verified up to entry 1,204").waitFor();
        assert.deepEqual(await seriousFindings(page), []);
        const problem = { seq: 7, id: "aud_x", reason: "changed", message: "Entry 7 (aud_x) was changed." } as const;
        await db.updateTable("audit_verification").set({ problem }).execute();
        await page.reload();
        await page.getByText("The audit log failed its verification").waitFor();
        await page.getByText("Entry 7 (aud_x) was changed.").waitFor();
        assert.deepEqual(await seriousFindings(page), []);
      });
      await db.updateTable("audit_verification").set({ seq: 0, problem: null }).execute();
    });

    it("exports the filtered entries, and visits of the playground leave none", async () => {
      await browser.withPage({ as: owner }, async (page) => {
        await page.goto("/playground");
        await page.getByRole("heading", { name: "Playground" }).waitFor();
        await page.getByRole("link", { name: "Audit log" }).click();
        await page.getByRole("row").filter({ hasText: "Update settings" }).first().waitFor();
        assert.equal(
          await page
            .getByRole("row")
            .filter({ hasText: /playground/i })
            .count(),
          0,
        );
        await page.goto("/audit?kind=settings");
        await button(page, "Export").click();
        const download = page.waitForEvent("download");
        await page.getByRole("menuitem", { name: "JSON lines" }).click();
        const file = await download;
        assert.match(file.suggestedFilename(), /^gatehouse-audit-[\d-]+\.ndjson$/);
        const text = await readFile(await file.path(), "utf8");
        const kinds = text
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line).target.type);
        assert.deepEqual([...new Set(kinds)], ["settings"]);
      });
    });
  });

  describe("catalog", () => {
    it("shows featured connectors and badges, opens a connector, and adds it", async () => {
      await browser.withPage({ as: owner }, async (page) => {
        await page.goto("/catalog");
        const featured = page.getByRole("region", { name: "Featured" });
        await featured.getByRole("link", { name: "GitHub", exact: true }).waitFor();
        assert.deepEqual(await seriousFindings(page), []);
        await page.getByLabel("Search the catalog").fill("deepwiki");
        await featured.waitFor({ state: "detached" });
        const card = page.getByRole("listitem").filter({ hasText: "DeepWiki" });
        await card.getByText("No authentication").waitFor();
        await card.getByRole("link", { name: "DeepWiki" }).click();
        await page.waitForURL("**/catalog/deepwiki");
        await page.getByRole("heading", { name: "DeepWiki" }).waitFor();
        await page.getByText("Server URL").waitFor();
        assert.deepEqual(await seriousFindings(page), []);
        await button(page, "Add server").click();
        await page.waitForURL("**/mcp-servers/deepwiki");
        await page.goto("/catalog/deepwiki");
        await page.getByRole("main").getByRole("link", { name: "deepwiki", exact: true }).waitFor();
      });
    });

    it("shows a not-found page for an unknown connector", async () => {
      await browser.withPage({ as: owner }, async (page, findings) => {
        findings.allowStatus(404);
        await page.goto("/catalog/none");
        await page
          .getByText(/not found|does not exist|no page/i)
          .first()
          .waitFor();
      });
    });
  });

  describe("pages outside the app", () => {
    it("shows and hides a password while it is typed", async () => {
      await browser.withPage({}, async (page) => {
        await page.goto("/sign-in");
        const field = page.getByLabel("Password");
        await field.fill("typed secret");
        await button(page, "Show").click();
        assert.equal(await field.getAttribute("type"), "text");
        await button(page, "Hide").click();
        assert.deepEqual([await field.getAttribute("type"), await field.inputValue()], ["password", "typed secret"]);
        assert.deepEqual(await seriousFindings(page), []);
      });
    });

    it("shows a not-found page for unknown URLs, signed in and signed out", async () => {
      await browser.withPage({}, async (page, findings) => {
        findings.allowStatus(404);
        await page.goto("/nowhere");
        await page.getByRole("heading", { name: "Page not found" }).waitFor();
      });
      await browser.withPage({ as: owner }, async (page, findings) => {
        findings.allowStatus(404);
        for (const path of ["/nowhere", "/settings/nowhere", "/logs/more", "/mcp-servers/none"]) {
          await page.goto(path);
          await page
            .getByText(/not found|does not exist|no page/i)
            .first()
            .waitFor();
          await page.getByRole("navigation", { name: "Main" }).waitFor();
        }
      });
    });
  });

  describe("account", () => {
    const MEMBER = "member@example.com";

    it("shows profile, sessions, and theme, and changes the password", async () => {
      const member = await signIn(installation, "member", MEMBER);
      await browser.withPage({ as: member, width: 375 }, async (page, findings) => {
        await page.goto("/connections");
        await page.getByRole("button", { name: /^Account/ }).click();
        await page.getByRole("menuitem", { name: "Account" }).click();
        await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
        await page.getByText(MEMBER).first().waitFor();
        await page.getByRole("region", { name: "Web sessions" }).waitFor();
        assert.equal(await page.getByRole("heading", { name: "Email notices" }).count(), 0, "there is no mail server");
        findings.allowStatus(400);
        await page.getByLabel("Current password").fill("wrong");
        await page.getByLabel("New password").fill("vermilion-otter-9-plinth");
        await button(page, "Change password").click();
        await page.getByText("Is incorrect").waitFor();
        await page.getByLabel("Current password").fill(GOOD_PASSWORD);
        await button(page, "Change password").click();
        await page.getByText("Password changed").waitFor();
        assert.deepEqual(await seriousFindings(page), []);
        await page.getByRole("main").getByRole("button", { name: "Sign out", exact: true }).click();
        await page.waitForURL("**/sign-in");
      });
    });
  });
});

describe("an installation without an owner", () => {
  it("explains how to create one", async () => {
    const installation = await startInstallation();
    const browser = await openBrowser(installation);
    try {
      await browser.withPage({}, async (page) => {
        await page.goto("/");
        await page.getByRole("heading", { name: "No owner yet" }).waitFor();
        await page.getByText("gatehouse owner-link").waitFor();
        assert.equal(await page.getByRole("textbox").count(), 0);
        assert.deepEqual(await seriousFindings(page), []);
      });
    } finally {
      await browser.close();
      await installation.close();
    }
  });
});
