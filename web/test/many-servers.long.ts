/**
 * 10,000 servers in Chromium: how smoothly their lists scroll, and how soon pages, the palette and pickers answer. Prints
 * what it sees and judges only what does not depend on the machine: `npm run web:build`, then
 * `npm run test:long -- web/test/many-servers.long.ts`.
 */
import assert from "node:assert/strict";
import { after, before, describe, it, type TestContext } from "node:test";
import type { Page } from "playwright-core";
import type { Browser as HttpBrowser } from "#test/browser";
import { createGroup, createSyncedServer } from "#test/factories";
import { copyServer } from "#test/many-servers";
import { registryRow, storeRegistry } from "#test/registry";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { type FrameMeter, formatFrameTimes, meterFrames } from "./kit/frames.ts";
import { type ProxiedInstallation, signIn, startProxied } from "./kit/installation.ts";
import { openSettled } from "./kit/pages.ts";

const SERVERS = 10_000;
const OWNER = "owner@example.com";
const WHEEL_TURNS = 150;
const WHEEL_PX = 400;
/** Visible rows, the rows rendered around them, and up to two skeletons. */
const MOST_DRAWN = 160;

describe("an installation with 10,000 servers", { timeout: 600_000 }, () => {
  let installation: ProxiedInstallation;
  let upstream: RawUpstream;
  let browser: TestBrowser;
  let owner: HttpBrowser;
  before(async () => {
    installation = await startProxied();
    const { service, database } = installation;
    upstream = await startRawUpstream();
    owner = await signIn(installation, "owner", OWNER);
    const slug = await createSyncedServer(service, "Warehouse", upstream.url);
    await createGroup(service, "All", { slugs: [slug], emails: [OWNER] });
    await createGroup(service, "Empty");
    await copyServer(database.databases.main, slug, SERVERS - 1);
    const entries = Array.from({ length: SERVERS }, (_, n) =>
      registryRow({ name: `com.example/server-${n}`, title: `Server ${n}`, description: "One of many" }),
    );
    await storeRegistry(database.databases.main, entries);
    // The gateway learns of what was put into its tables when it starts.
    await installation.restart();
    browser = await openBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
    await upstream?.close();
  });

  const measured = (t: TestContext, path: string, use: (page: Page, meter: FrameMeter) => Promise<void>) =>
    browser.withPage({ as: owner }, async (page) => {
      const meter = await meterFrames(page);
      await openSettled(page, path);
      await page.mouse.move(700, 600);
      t.diagnostic(`scrolling: ${formatFrameTimes(await meter.wheel(WHEEL_TURNS, WHEEL_PX))}`);
      const { layoutShift } = await meter.vitals();
      const drawn = await meter.rowsDrawn();
      await page.evaluate("scrollTo(0, 0)");
      await use(page, meter);
      const { lcpMs, inpMs } = await meter.vitals();
      const elements = await page.evaluate("document.querySelectorAll('*').length");
      t.diagnostic(`LCP ${lcpMs?.toFixed(0)} ms, INP ${inpMs?.toFixed(0)} ms, layout shift ${layoutShift.toFixed(3)}`);
      t.diagnostic(`${drawn} rows while scrolling, ${elements} elements in the end`);
      assert.ok(drawn <= MOST_DRAWN, "rows outside the viewport are not rendered");
    });
  const typeInto = (page: Page, text: string) => page.locator("search input").first().pressSequentially(text);

  for (const path of ["/mcp-servers", "/groups/All?tab=servers"]) {
    it(`scrolls and finds: ${path}`, async (t) => {
      await measured(t, path, async (page) => {
        await typeInto(page, "9876");
        await page.getByRole("link", { name: "Warehouse-9876" }).waitFor();
      });
    });
  }

  it("scrolls and finds in the catalog", async (t) => {
    await measured(t, "/catalog?source=registry", async (page) => {
      await typeInto(page, "Server 9876");
      await page.getByText("Server 9876", { exact: true }).waitFor();
    });
  });

  it("shows what somebody can call", async (t) => {
    await measured(t, `/access?email=${OWNER}`, async (page) => {
      await page.getByRole("searchbox").pressSequentially("warehouse-1000__");
      await page.getByRole("region", { name: "warehouse-1000", exact: true }).waitFor();
    });
  });

  it("finds in the palette and in a picker", async (t) => {
    await measured(t, "/groups/Empty?tab=servers", async (page, meter) => {
      const typing = await meter.during(async () => {
        await page.keyboard.press("Control+k");
        await page.getByPlaceholder("Search or jump to…").pressSequentially("house-9876");
        await page.getByText("Warehouse-9876").first().waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "Add servers" }).first().click();
        await page.getByRole("combobox", { name: "MCP servers" }).pressSequentially("9876");
        await page.getByRole("option", { name: "Warehouse-9876" }).waitFor();
      });
      t.diagnostic(`typing: ${formatFrameTimes(typing)}`);
    });
  });
});
