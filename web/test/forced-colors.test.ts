import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { Browser as HttpBrowser } from "#test/browser";
import { createServer } from "#test/factories";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";
import { openSettled } from "./kit/pages.ts";

/** In the browser. */
declare const getComputedStyle: (element: unknown) => Readonly<Record<string, string>>;

describe("contrast themes", () => {
  let installation: Installation;
  let browser: TestBrowser;
  let owner: HttpBrowser;
  before(async () => {
    installation = await startInstallation();
    owner = await signIn(installation, "owner");
    const settings = { auth_settings: { authType: "proxy-oauth" } };
    await createServer(installation.service, "Warehouse", "https://warehouse.example.com/mcp", settings);
    browser = await openBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
  });

  const open = async (path: string, use: (page: Page) => Promise<void>) => {
    for (const theme of ["light", "dark"] as const) {
      await browser.withPage({ as: owner, theme }, async (page) => {
        await page.emulateMedia({ forcedColors: "active" });
        await openSettled(page, path);
        await use(page);
      });
    }
  };
  const style = (element: Locator) =>
    element.evaluate((each) => {
      const { backgroundColor, borderBottomWidth, borderBottomColor } = getComputedStyle(each);
      return { backgroundColor, borderBottomWidth, borderBottomColor };
    });
  /** The color behind the text of the page. */
  const canvas = async (page: Page) => (await style(page.locator("body"))).backgroundColor;

  it("show switches, and which of them are on", async () => {
    await open("/groups?add=group", async (page) => {
      const tracks = page.getByRole("dialog").locator(".mantine-Switch-track");
      await tracks.first().click();
      const [on, off] = [await style(tracks.nth(0)), await style(tracks.nth(1))];
      assert.equal(off.borderBottomWidth, "1px");
      assert.notEqual(off.borderBottomColor, off.backgroundColor);
      assert.notEqual(on.backgroundColor, off.backgroundColor);
      const thumb = await style(tracks.nth(1).locator(".mantine-Switch-thumb"));
      assert.notEqual(thumb.backgroundColor, off.backgroundColor);
    });
  });

  it("show the current tab, the selected segment, and the health of the gateway", async () => {
    await open("/mcp-servers/warehouse?tab=settings", async (page) => {
      const tabs = page.locator(".gh-tabs");
      const background = await canvas(page);
      const current = await style(tabs.getByRole("link", { name: "Settings" }));
      const other = await style(tabs.getByRole("link", { name: "Overview" }));
      assert.notEqual(current.backgroundColor, other.backgroundColor);
      assert.equal(other.borderBottomColor, background);
      const selected = page.getByRole("radiogroup", { name: "Status" }).locator(".mantine-SegmentedControl-indicator");
      assert.notEqual((await style(selected)).backgroundColor, background);
      assert.notEqual((await style(page.locator(".gh-health"))).backgroundColor, background);
    });
  });

  it("show selected checkboxes and radio buttons", async () => {
    await open("/api-tokens?add=token", async (page) => {
      const box = (checked: boolean) => page.getByRole("checkbox", { checked }).first();
      assert.notEqual((await style(box(true))).backgroundColor, (await style(box(false))).backgroundColor);
    });
    await open("/mcp-servers/warehouse?tab=auth", async (page) => {
      const mark = (checked: boolean) => page.getByRole("radio", { checked }).first().locator(INDICATOR);
      assert.notEqual((await style(mark(true))).backgroundColor, (await style(mark(false))).backgroundColor);
    });
  });
});

const INDICATOR = ".mantine-RadioIndicator-indicator";
