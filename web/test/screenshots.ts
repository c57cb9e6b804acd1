/**
 * `npm run screenshots [/path …]`: every page with its dialogs, drawers, and menus (kit/openings.ts), in both themes and
 * widths, with seeded data, into web/screenshots.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openBrowser } from "./kit/browser.ts";
import { nameOf, OPENINGS, type Opening, openOpening } from "./kit/openings.ts";
import { openSettled, PAGES, type SeededPage } from "./kit/pages.ts";
import { type Seeded, startSeeded } from "./kit/seed.ts";

const FOLDER = new URL("../screenshots/", import.meta.url).pathname;
const VIEWS = (["light", "dark"] as const).flatMap((theme) => [1280, 375].map((width) => ({ theme, width })));

const requested = process.argv.slice(2);
const pages =
  requested.length === 0 ? PAGES : PAGES.filter(({ path }) => requested.some((each) => isRequested(path, each)));
const seeded = await startSeeded();
const browser = await openBrowser(seeded);
try {
  if (requested.length === 0) rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const page of pages) {
    for (const view of VIEWS) {
      await shoot(seeded, page, view);
      for (const opening of OPENINGS[page.path] ?? []) await shoot(seeded, page, view, opening);
    }
  }
} finally {
  await browser.close();
  await seeded.close();
}

/** `/` means the home page only. */
function isRequested(path: string, prefix: string): boolean {
  return prefix === "/" ? path === "/" : path.startsWith(prefix);
}

async function shoot(
  { owner, member }: Seeded,
  { path, as = "owner" }: SeededPage,
  view: (typeof VIEWS)[number],
  opening?: Opening,
): Promise<void> {
  const who = { owner: { as: owner }, member: { as: member }, visitor: {} }[as];
  const name = `${path.slice(1).replace(/[^\w.-]+/g, "-") || "home"}${as === "member" ? "-member" : ""}`;
  const suffix = opening ? `--${nameOf(opening)}` : "";
  const file = join(FOLDER, `${name}${suffix}-${view.theme}-${view.width}.png`);
  try {
    await browser.withPage({ ...who, ...view, height: view.width === 375 ? 812 : 860 }, async (page) => {
      await openSettled(page, path);
      if (opening && !(await openOpening(page, opening))) return;
      await page.screenshot({ path: file, animations: "disabled" });
    });
    process.stdout.write(`${file}\n`);
  } catch (error) {
    // The screenshot of a faulty page is kept, and the error is reported.
    process.stdout.write(`${file}\n  ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
