import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { seriousFindings } from "./kit/axe.ts";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { keyboardFindings } from "./kit/keyboard.ts";
import { goSettled, isAppPage, openSettled, personOf, VISITS } from "./kit/pages.ts";
import { type Seeded, startSeeded } from "./kit/seed.ts";

describe("every page in the dark theme", () => {
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
    it(`is accessible, also with the keyboard: ${name}`, async () => {
      await browser.withPage({ ...personOf(seeded, viewer), theme: "dark" }, async (page) => {
        for (const path of paths) {
          // Navigates without a reload between pages of the app.
          await (isAppPage(path) && isAppPage(new URL(page.url()).pathname) ? goSettled : openSettled)(page, path);
          assert.deepEqual(await seriousFindings(page), [], path);
          assert.deepEqual(await keyboardFindings(page), [], path);
        }
      });
    });
  }
});
