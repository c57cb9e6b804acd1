import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RUN = `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations
  .filter(({ impact }) => impact === "serious" || impact === "critical")
  .map(({ id, help, nodes }) => id + ": " + help + ": " + nodes.slice(0, 5)
    .map(({ html, any }) => html + " " + any.map(({ message }) => message).join()).join(" | ")))`;

/** What makes the page hard to use for somebody, as axe finds it: serious and critical findings, as sentences. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  // Evaluated by the browser's own tools, so the page's policy has no say in it.
  await page.evaluate(AXE);
  return page.evaluate<string[]>(RUN);
}
