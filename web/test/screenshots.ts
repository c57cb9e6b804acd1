/** `npm run screenshots`: every page in both themes and widths, with seeded data, into web/screenshots. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openBrowser } from "./kit/browser.ts";
import { openSettled, PAGES, type SeededPage } from "./kit/pages.ts";
import { type Seeded, startSeeded } from "./kit/seed.ts";

const FOLDER = new URL("../screenshots/", import.meta.url).pathname;
const VIEWS = (["light", "dark"] as const).flatMap((theme) => [1280, 375].map((width) => ({ theme, width })));

const requested = process.argv.slice(2);
const pages =
  requested.length === 0 ? PAGES : PAGES.filter(({ path }) => requested.some((each) => path.startsWith(each)));
const seeded = await startSeeded();
const browser = await openBrowser(seeded);
try {
  if (requested.length === 0) rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const page of pages) {
    for (const view of VIEWS) await shoot(seeded, page, view);
  }
} finally {
  await browser.close();
  await seeded.close();
}

async function shoot(
  { owner, member }: Seeded,
  { path, as = "owner" }: SeededPage,
  view: (typeof VIEWS)[number],
): Promise<void> {
  const who = { owner: { as: owner }, member: { as: member }, nobody: {} }[as];
  const name = `${path.slice(1).replace(/[^\w.-]+/g, "-") || "home"}${as === "member" ? "-member" : ""}`;
  const file = join(FOLDER, `${name}-${view.theme}-${view.width}.png`);
  try {
    await browser.withPage({ ...who, ...view, height: view.width === 375 ? 812 : 860 }, async (page) => {
      await openSettled(page, path);
      await page.screenshot({ path: file, animations: "disabled" });
    });
    process.stdout.write(`${file}\n`);
  } catch (error) {
    // The screenshot of a faulty page is kept, and the error is reported.
    process.stdout.write(`${file}\n  ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
