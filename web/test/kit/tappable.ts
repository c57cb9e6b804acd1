import assert from "node:assert/strict";
import type { Page } from "playwright-core";

const LEAST_PX = 40;
/**
 * Controls that are too low to tap. Links in text, in table rows that are links, and the parts of an input are not
 * included.
 */
const LOW = `[...document.querySelectorAll("main button, header button, main nav a, main a.mantine-Button-root")]
  .filter((each) => {
    const { width, height } = each.getBoundingClientRect();
    const area = Number.parseFloat(getComputedStyle(each, "::after").height) || 0;
    return width > 1 && Math.max(height, area) < ${LEAST_PX} - 0.5
      && !each.matches(".gh-row-main") && each.closest(".mantine-Input-wrapper, .mantine-Pill-root") === null
      && each.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  })
  .map((each) => (each.getAttribute("aria-label") ?? each.textContent) + ": " + each.getBoundingClientRect().height)`;

/** Asserts that the controls of a narrow page are high enough to tap. */
export async function assertTappable(page: Page, of: string): Promise<void> {
  assert.deepEqual(await page.evaluate<string[]>(LOW), [], `controls lower than ${LEAST_PX} px on ${of}`);
}
