/** `npm run screenshots`: every page in both themes, wide and narrow, over seeded data, into web/screenshots. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openBrowser } from "./kit/browser.ts";
import { type Seeded, startSeeded } from "./kit/seed.ts";

const FOLDER = new URL("../screenshots/", import.meta.url).pathname;
const PAGES: readonly { path: string; as?: "owner" | "member" | "nobody" }[] = [
  { path: "/" },
  { path: "/mcp-servers" },
  ...["overview", "tools", "auth", "access", "connections", "logs", "settings"].map((tab) => ({
    path: `/mcp-servers/github?tab=${tab}`,
  })),
  { path: "/mcp-servers/internal-wiki?tab=tools" },
  { path: "/mcp-servers/stripe?tab=auth" },
  { path: "/catalog" },
  { path: "/groups" },
  { path: "/groups/Engineering" },
  { path: "/users" },
  { path: "/users/ada@acme.example" },
  { path: "/machine-users" },
  { path: "/connections" },
  { path: "/connections", as: "member" },
  { path: "/logs" },
  { path: "/playground" },
  { path: "/api-tokens" },
  { path: "/audit" },
  { path: "/settings" },
  { path: "/setup" },
  { path: "/sign-in", as: "nobody" },
  { path: "/connect/hubspot", as: "member" },
];
const VIEWS = (["light", "dark"] as const).flatMap((theme) => [1280, 375].map((width) => ({ theme, width })));
/** What is still asked for after this long is shown as it is. */
const SETTLED_WITHIN_MS = 10_000;

const asked = process.argv.slice(2);
const pages = asked.length === 0 ? PAGES : PAGES.filter(({ path }) => asked.some((each) => path.startsWith(each)));
const seeded = await startSeeded();
const browser = await openBrowser(seeded);
try {
  if (asked.length === 0) rmSync(FOLDER, { recursive: true, force: true });
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
  { path, as = "owner" }: (typeof PAGES)[number],
  view: (typeof VIEWS)[number],
): Promise<void> {
  const who = { owner: { as: owner }, member: { as: member }, nobody: {} }[as];
  const name = `${path.slice(1).replace(/[^\w.-]+/g, "-") || "home"}${as === "member" ? "-member" : ""}`;
  const file = join(FOLDER, `${name}-${view.theme}-${view.width}.png`);
  try {
    await browser.withPage({ ...who, ...view, height: view.width === 375 ? 812 : 860 }, async (page) => {
      await page.goto(path);
      await page.waitForLoadState("networkidle", { timeout: SETTLED_WITHIN_MS }).catch(() => undefined);
      await page.screenshot({ path: file, animations: "disabled" });
    });
    process.stdout.write(`${file}\n`);
  } catch (error) {
    // A page with a fault is shown all the same, and the fault is told.
    process.stdout.write(`${file}\n  ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
