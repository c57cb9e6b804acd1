/**
 * 100,000 calls in Chromium: how smoothly the log scrolls, at its head and with all of it loaded, and how soon it answers.
 * Prints what it sees and judges only what does not depend on the machine: `npm run web:build`, then
 * `npm run test:long -- web/test/logs-scroll.long.ts`.
 */
import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import type { Page } from "playwright-core";
import { seedCalls } from "#test/many-calls";
import { openBrowser } from "./kit/browser.ts";
import { type FrameMeter, formatFrameTimes, meterFrames } from "./kit/frames.ts";
import { signIn, startInstallation } from "./kit/installation.ts";

const CALLS = 100_000;
/** Visible rows, the rows rendered around them, and up to two skeletons. */
const MOST_DRAWN = 80;

it("a log of 100,000 calls is scrolled to its end", { timeout: 600_000 }, async (t) => {
  const installation = await startInstallation();
  const owner = await signIn(installation, "owner");
  await seedCalls(installation.database.databases.calls, CALLS, Date.now());
  const browser = await openBrowser(installation);
  try {
    await browser.withPage({ as: owner }, async (page) => {
      const meter = await meterFrames(page);
      await page.goto("/logs");
      await page.getByRole("table", { name: "Calls" }).locator("tbody time").first().waitFor();
      await page.mouse.move(640, 600);
      t.diagnostic(`head of it, loading as it goes: ${formatFrameTimes(await meter.wheel(400, 300))}`);
      const { lcpMs, layoutShift } = await meter.vitals();
      t.diagnostic(`LCP ${lcpMs?.toFixed(0)} ms, layout shift ${layoutShift.toFixed(3)}`);
      await loadAll(page);
      await page.evaluate("scrollTo(0, 0)");
      t.diagnostic(`${CALLS} loaded, slowly: ${formatFrameTimes(await meter.wheel(300, 120))}`);
      t.diagnostic(`${CALLS} loaded, fast: ${formatFrameTimes(await meter.wheel(300, 4_000))}`);
      await judge(t, page, meter);
    });
  } finally {
    await browser.close();
    await installation.close();
  }
});

async function judge(t: TestContext, page: Page, meter: FrameMeter): Promise<void> {
  const drawn = await meter.rowsDrawn();
  t.diagnostic(`rows drawn: ${drawn}`);
  assert.ok(drawn > 10 && drawn <= MOST_DRAWN, `${drawn} rows`);
  await page.getByRole("table", { name: "Calls" }).getByRole("button").nth(12).click();
  await page.getByRole("heading", { name: "Timeline" }).waitFor();
  for (let step = 0; step < 5; step++) await page.keyboard.press("j");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const { inpMs } = await meter.vitals();
  t.diagnostic(`INP ${inpMs?.toFixed(0)} ms`);
  t.diagnostic(`memory of the page: ${await page.evaluate("Math.round(performance.memory.usedJSHeapSize / 1e6)")} MB`);
}

/** As somebody would who wants to see the end of it. */
async function loadAll(page: Page): Promise<void> {
  await page.evaluate(`new Promise((done) => {
    const table = document.querySelector("table[aria-label=Calls]");
    const further = () => {
      scrollTo(0, document.body.scrollHeight);
      if (table.getAttribute("aria-rowcount") === "${CALLS + 1}") done();
      else requestAnimationFrame(further);
    };
    further();
  })`);
}
