import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import type { Browser as HttpBrowser } from "#test/browser";
import { createServer } from "#test/factories";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";
import { openSettled } from "./kit/pages.ts";

describe("the keyboard focus", () => {
  let installation: Installation;
  let browser: TestBrowser;
  let owner: HttpBrowser;
  before(async () => {
    installation = await startInstallation();
    owner = await signIn(installation, "owner");
    await createServer(installation.service, "Warehouse", "https://warehouse.example.com/mcp");
    browser = await openBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
  });

  const focused = (page: Page) => page.locator(":focus");
  const closeDialog = async (page: Page) => {
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  };

  it("returns to the menu of a row after the dialog that one of its items opened", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      await openSettled(page, "/mcp-servers");
      const menu = page
        .getByRole("row")
        .filter({ hasText: "Warehouse" })
        .getByRole("button", { name: /actions/i });
      await menu.press("Enter");
      await page.getByRole("menuitem", { name: "Delete…" }).press("Enter");
      await closeDialog(page);
      await menu.and(focused(page)).waitFor();
    });
  });

  it("returns to the account menu after the keyboard shortcuts", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      await openSettled(page, "/groups");
      const menu = page.getByRole("button", { name: "Account of owner" });
      await menu.press("Enter");
      await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).press("Enter");
      await closeDialog(page);
      await menu.and(focused(page)).waitFor();
    });
  });

  it("returns to the page after the command palette, also the first time", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      await openSettled(page, "/mcp-servers");
      const link = page.getByRole("link", { name: "Warehouse" });
      await link.focus();
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Search or jump to" }).and(focused(page)).waitFor();
      await closeDialog(page);
      await link.and(focused(page)).waitFor();
    });
  });

  it("stays in the date fields of the time filter while arrow keys change them", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      await openSettled(page, "/logs");
      const filter = page.getByRole("button", { name: "Last 24 hours" });
      await filter.click();
      const from = page.getByLabel("From");
      await from.fill("2026-05-04T10:00");
      await from.press("ArrowUp");
      await from.and(focused(page)).waitFor();
      assert.notEqual(await from.inputValue(), "2026-05-04T10:00");
      await from.press("Escape");
      await filter.and(focused(page)).waitFor();
    });
  });
});
