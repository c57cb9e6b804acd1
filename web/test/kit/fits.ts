import assert from "node:assert/strict";
import type { Page } from "playwright-core";

/** Controls and the like that stick out of the window, where nobody can get at them. What scrolls by itself may be wider. */
const STICKING_OUT = `(() => {
  const { clientWidth, scrollWidth } = document.documentElement;
  const scrolls = (each) => each !== null && each !== document.body
    && (/auto|scroll/.test(getComputedStyle(each).overflowX) || scrolls(each.parentElement));
  const controls = "a[href], button, input, select, textarea, summary, [tabindex='0']";
  const cut = [...document.querySelectorAll(controls)].filter((each) => {
    const { left, right, width } = each.getBoundingClientRect();
    return width > 1 && (left < -1 || right > clientWidth + 1) && !each.matches(".gh-skip") && !scrolls(each.parentElement)
      && each.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  }).map(({ outerHTML }) => outerHTML.slice(0, 160));
  return scrollWidth > clientWidth ? ["the page is " + scrollWidth + " wide", ...cut] : cut;
})()`;
const NEXT_FRAME = "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))";
/** Charts and the like follow the window some frames later; what stays is a fault. */
const MOST_FRAMES = 60;

/** In a window of this width nothing has to be scrolled sideways, and every control can be seen as a whole. */
export async function assertFits(page: Page, width: number, of: string): Promise<void> {
  await page.setViewportSize({ width, height: 800 });
  for (let frame = 0; frame < MOST_FRAMES; frame++) {
    if ((await page.evaluate<string[]>(STICKING_OUT)).length === 0) return;
    await page.evaluate(NEXT_FRAME);
  }
  assert.deepEqual(await page.evaluate(STICKING_OUT), [], `${of} at ${width} px`);
}
