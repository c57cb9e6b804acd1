import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { GOOD_PASSWORD } from "#test/passwords";
import { seriousFindings } from "./kit/axe.ts";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { assertFits } from "./kit/fits.ts";
import { signIn } from "./kit/installation.ts";
import { keyboardFindings } from "./kit/keyboard.ts";
import { goSettled, isOfApp, openSettled, PAGES } from "./kit/pages.ts";
import { type Seeded, startSeeded } from "./kit/seed.ts";

const DIST = new URL("../dist/", import.meta.url);
const ROUTES = new URL("../src/pages/", import.meta.url);
const INITIAL_JS_BYTES = 260 * 1024;
/** As they came over the wire. */
const SCRIPTS_LOADED = `performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".js"))
  .map(({ name, encodedBodySize }) => [name, encodedBodySize])`;
/** What buttons are called that change something for others. */
const OFFERS =
  /^(?:Create|Add|Delete|Disable|Enable|Rotate|Reveal|Save|Actions|Remove|Take|Give|Revoke|Accept|Read tools)/;
const WIDE_PX = 1280;
/** What is left of it at 200 % zoom. */
const HALF_PX = 640;
const NARROW_PX = 375;

describe("the admin app", () => {
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

  const person = (as: string | undefined) =>
    as === "nobody" ? {} : { as: as === "member" ? seeded.member : seeded.owner };

  it("has each of its routes among the pages that are proved here", () => {
    const files = globSync("*/routes.ts", { cwd: ROUTES.pathname });
    const routes = files.flatMap((file) => [
      ...readFileSync(new URL(file, ROUTES), "utf8").matchAll(/^ {2}path: "([^"]+)"/gm),
    ]);
    assert.ok(routes.length > 10, `${routes}`);
    for (const [, route = ""] of routes) {
      const pattern = new RegExp(`^${route.replaceAll(/\$\w+/g, "[^/]+")}(?:\\?|$)`);
      assert.ok(
        PAGES.some(({ path }) => pattern.test(path)),
        `${route} is not in kit/pages.ts`,
      );
    }
  });

  // The kit sees to the rest of WEB-1: no breach of the policy, no request to anybody else, no error.
  for (const who of ["owner", "member", "nobody"] as const) {
    const pages = PAGES.filter(({ as = "owner" }) => as === who);

    it(`can be used by everybody on each page, also where it is narrow or twice as large: as ${who}`, async () => {
      await browser.withPage(person(who), async (page) => {
        for (const { path } of pages) {
          await openSettled(page, path);
          assert.deepEqual(await seriousFindings(page), [], path);
          for (const width of [NARROW_PX, HALF_PX, WIDE_PX]) await assertFits(page, width, path);
        }
      });
    });

    it(`can be used by everybody in dark colours, and by the keyboard alone: as ${who}`, async () => {
      await browser.withPage({ ...person(who), theme: "dark" }, async (page) => {
        for (const { path } of pages) {
          // From page to page as by links, but for those that are not the app's.
          await (isOfApp(path) && isOfApp(new URL(page.url()).pathname) ? goSettled : openSettled)(page, path);
          assert.deepEqual(await seriousFindings(page), [], path);
          assert.deepEqual(await keyboardFindings(page), [], path);
        }
      });
    });
  }

  it("shows auditors everything and offers them no change, and tells members whose pages these are", async () => {
    const own = /^\/(?:connections|playground|setup)/;
    const pages = PAGES.filter(({ path, as = "owner" }) => as === "owner" && !own.test(path));
    const [auditor, member] = [await signIn(seeded, "auditor", "auditor@acme.example"), seeded.member];
    // The kit sees to it that nothing is asked for that they may not have.
    await browser.withPage({ as: auditor }, async (page) => {
      await openSettled(page, "/");
      for (const { path } of pages.filter(({ path }) => !/[?&]add=/.test(path))) {
        await goSettled(page, path);
        const offers = page
          .locator("main")
          .getByRole("button", { name: OFFERS })
          .and(page.locator(":not(.gh-row-main)"));
        assert.deepEqual(await offers.allTextContents(), [], path);
      }
    });
    await browser.withPage({ as: member }, async (page) => {
      await openSettled(page, "/connections");
      for (const { path } of pages.filter(({ path }) => path !== "/")) {
        await goSettled(page, path);
        await page.getByRole("heading", { level: 1, name: "This page is for administrators" }).waitFor();
      }
    });
  });

  it("keeps what was searched for in the address, so that loading a list again shows the same", async () => {
    await browser.withPage({ as: seeded.owner }, async (page) => {
      await openSettled(page, "/");
      for (const path of ["/mcp-servers", "/catalog", "/groups", "/users", "/machine-users", "/connections", "/logs"]) {
        await goSettled(page, path);
        const field = page.locator("search input").first();
        await field.fill("en");
        await page.waitForURL(`**${path}?*q=en*`);
        await page.reload();
        assert.equal(await field.inputValue(), "en", path);
      }
    });
  });

  it("loads at most 260 KB of packed JavaScript for the first page that somebody sees, none of it inline", async () => {
    for (const [as, path] of [
      [seeded.owner, "/"],
      [seeded.member, "/connections"],
    ] as const) {
      await browser.withPage({ as }, async (page) => {
        await openSettled(page, path);
        const loaded = await page.evaluate<Array<[string, number]>>(SCRIPTS_LOADED);
        assert.ok(loaded.length > 1, `${loaded}`);
        const bytes = loaded.reduce((sum, [, size]) => sum + size, 0);
        assert.ok(bytes <= INITIAL_JS_BYTES, `${path}: ${bytes} bytes in ${loaded.join(" ")}`);
      });
    }
    const index = readFileSync(new URL("index.html", DIST), "utf8");
    assert.doesNotMatch(index, /<script(?![^>]* src=)|\son\w+=|style=/);
  });

  it("lets nobody in who is not signed in, and leads back to where they wanted to go", async () => {
    await browser.withPage({}, async (page) => {
      await page.goto("/logs?outcome=error");
      assert.equal(new URL(page.url()).pathname, "/sign-in");
      await page.getByLabel("Email").fill("olivia@acme.example");
      await page.getByLabel("Password").fill(GOOD_PASSWORD);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL("**/logs?outcome=error");
    });
  });
});
