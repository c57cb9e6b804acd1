import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RUN = `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations
  .filter(({ impact }) => impact === "serious" || impact === "critical")
  .map(({ id, help, nodes }) => id + ": " + help + ": " + nodes.slice(0, 5)
    .map(({ html, any }) => html + " " + any.map(({ message }) => message).join()).join(" | ")))`;

/** The serious and critical accessibility findings of axe. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  // Runs through the debugging protocol, so the CSP does not apply. It stays until the next reload.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE);
  return page.evaluate<string[]>(RUN);
}
