import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { GOOD_PASSWORD } from "#test/passwords";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { signIn } from "./kit/installation.ts";
import { goSettled, openSettled, PAGES } from "./kit/pages.ts";
import { type Seeded, startSeeded } from "./kit/seed.ts";

const DIST = new URL("../dist/", import.meta.url);
const ROUTES = new URL("../src/pages/", import.meta.url);
const INITIAL_JS_BYTES = 260 * 1024;
/** The compressed sizes of the loaded scripts. */
const SCRIPTS_LOADED = `performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".js"))
  .map(({ name, encodedBodySize }) => [name, encodedBodySize])`;
/** The labels of buttons that change something. */
const CHANGE_BUTTONS =
  /^(?:Create|Add|Delete|Disable|Enable|Rotate|Reveal|Save|Actions|Remove|Revoke|Accept|Reject|Approve|Deny|Sync tools|Run$|Pause|Activate|Cancel session)/;

/** Whether the current link is inside its bar. */
const IS_CURRENT_VISIBLE = `(() => {
  const bar = document.querySelector(".gh-settings-sections");
  const [link, frame] = [bar.querySelector("[aria-current]"), bar].map((each) => each.getBoundingClientRect());
  return link.left >= frame.left - 1 && link.right <= frame.right + 1;
})()`;

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

  it("tests every route", () => {
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

  it("shows auditors every page without change buttons, and members a notice", async () => {
    const own = /^\/(?:account|connections|playground|setup)/;
    const pages = PAGES.filter(({ path, as = "owner" }) => as === "owner" && !own.test(path));
    const [auditor, member] = [await signIn(seeded, "auditor", "auditor@acme.example"), seeded.member];
    // `withPage` fails if the page requests something that auditors may not read.
    await browser.withPage({ as: auditor }, async (page) => {
      await openSettled(page, "/");
      for (const { path } of pages.filter(({ path }) => !/[?&]add=/.test(path))) {
        await goSettled(page, path);
        const buttons = page
          .locator("main")
          .getByRole("button", { name: CHANGE_BUTTONS })
          .and(page.locator(":not(.gh-row-main)"));
        assert.deepEqual(await buttons.allTextContents(), [], path);
      }
    });
    await browser.withPage({ as: member }, async (page) => {
      await openSettled(page, "/connections");
      // Members see the approvals of their calls.
      for (const { path } of pages.filter(({ path }) => path !== "/" && !path.startsWith("/approvals/"))) {
        await goSettled(page, path);
        await page.getByRole("heading", { level: 1, name: "This page is for administrators" }).waitFor();
      }
    });
  });

  it("keeps the search of a list in the URL, so that a reload shows the same list", async () => {
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

  it("scrolls the bar of settings sections to the current one on narrow pages", async () => {
    await browser.withPage({ as: seeded.owner, width: 375 }, async (page) => {
      await openSettled(page, "/settings");
      for (const part of ["email", "limits", "keys", "about", "email"]) {
        await goSettled(page, `/settings/${part}`);
        await page.waitForFunction(IS_CURRENT_VISIBLE);
      }
    });
  });

  it("loads at most 260 KB of compressed JavaScript for the first page, none of it inline", async () => {
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

  it("requires signing in and returns to the requested page", async () => {
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
