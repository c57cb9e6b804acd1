import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { seriousFindings } from "./kit/axe.ts";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { assertFits } from "./kit/fits.ts";
import { isAppPage, openSettled, personOf, VISITS } from "./kit/pages.ts";
import { type Seeded, startSeeded } from "./kit/seed.ts";
import { assertTappable } from "./kit/tappable.ts";

const WIDE_PX = 1280;
/** The width at 200% zoom. */
const HALF_PX = 640;
const NARROW_PX = 375;

// `withPage` checks the rest of WEB-1: CSP violations, requests to other hosts, and errors.
describe("every page in the light theme", () => {
  let seeded: Seeded;
  let browser: TestBrowser;
  before(async () => {
    seeded = await startSeeded({ calls: 24 });
    browser = await openBrowser(seeded);
  });
  after(async () => {
    await browser?.close();
    await seeded?.close();
  });

  for (const { name, viewer, paths } of VISITS) {
    it(`is accessible and fits narrow and zoomed windows: ${name}`, async () => {
      await browser.withPage(personOf(seeded, viewer), async (page) => {
        for (const path of paths) {
          await openSettled(page, path);
          assert.deepEqual(await seriousFindings(page), [], path);
          for (const width of [WIDE_PX, HALF_PX, NARROW_PX]) await assertFits(page, width, path);
          if (isAppPage(path)) await assertTappable(page, path);
          await page.setViewportSize({ width: WIDE_PX, height: 800 });
        }
      });
    });
  }
});
