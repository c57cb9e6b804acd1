import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { GOOD_PASSWORD } from "#test/passwords";
import { seriousFindings } from "./kit/axe.ts";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { openSettled, PAGES } from "./kit/pages.ts";
import { type Seeded, startSeeded } from "./kit/seed.ts";

const DIST = new URL("../dist/", import.meta.url);
const ROUTES = new URL("../src/pages/", import.meta.url);
const INITIAL_JS_BYTES = 260 * 1024;

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
  for (const theme of ["light", "dark"] as const) {
    for (const who of ["owner", "member", "nobody"] as const) {
      it(`can be used by everybody on each page: as ${who}, ${theme}`, async () => {
        await browser.withPage({ ...person(who), theme }, async (page) => {
          for (const { path } of PAGES.filter(({ as = "owner" }) => as === who)) {
            await openSettled(page, path);
            assert.deepEqual(await seriousFindings(page), [], path);
          }
        });
      });
    }
  }

  it("keeps what was searched for in the address, so that loading a list again shows the same", async () => {
    await browser.withPage({ as: seeded.owner }, async (page) => {
      for (const path of ["/mcp-servers", "/catalog", "/groups", "/users", "/machine-users", "/connections", "/logs"]) {
        await openSettled(page, path);
        const field = page.locator("search input").first();
        await field.fill("en");
        await page.waitForURL(`**${path}?*q=en*`);
        await page.reload();
        assert.equal(await field.inputValue(), "en", path);
      }
    });
  });

  it("loads at most 260 KB of packed JavaScript before its first page, none of it inline", () => {
    const index = readFileSync(new URL("index.html", DIST), "utf8");
    const scripts = [...index.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, path = ""]) => path);
    assert.ok(scripts.length > 0, index);
    const bytes = scripts.reduce((sum, path) => sum + gzipSync(readFileSync(new URL(path, DIST))).length, 0);
    assert.ok(bytes <= INITIAL_JS_BYTES, `${bytes} bytes in ${scripts.join(", ")}`);
    assert.doesNotMatch(index, /<script(?![^>]* src=)|\son\w+=|style=/);
  });

  it("lets nobody in who is not signed in, and leads back to where they wanted to go", async () => {
    await browser.withPage({}, async (page) => {
      await page.goto("/logs?outcome=error");
      assert.equal(new URL(page.url()).pathname, "/sign-in");
      await page.getByLabel("E-mail").fill("olivia@acme.example");
      await page.getByLabel("Password").fill(GOOD_PASSWORD);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL("**/logs?outcome=error");
    });
  });
});
