import assert from "node:assert/strict";
import type { Page } from "playwright-core";

/** Controls outside the window, unless they are inside a scrollable element. */
const OVERFLOWING = `(() => {
  const { clientWidth, scrollWidth } = document.documentElement;
  const scrolls = (each) => each !== null && each !== document.body
    && (/auto|scroll/.test(getComputedStyle(each).overflowX) || scrolls(each.parentElement));
  const controls = "a[href], button, input, select, textarea, summary, [tabindex='0']";
  const cut = [...document.querySelectorAll(controls)].filter((each) => {
    const { left, right, width } = each.getBoundingClientRect();
    return width > 1 && (left < -1 || right > clientWidth + 1) && !each.matches(".gh-skip") && !scrolls(each.parentElement)
      && each.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  }).map(({ outerHTML }) => outerHTML.slice(0, 160));
  return scrollWidth > clientWidth ? ["the page is " + scrollWidth + " px wide", ...cut] : cut;
})()`;
const NEXT_FRAME = "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))";
/** Charts resize some frames after the window. */
const MAX_FRAMES = 60;

/** Asserts that a window of this width needs no horizontal scrolling and shows every control completely. */
export async function assertFits(page: Page, width: number, of: string): Promise<void> {
  await page.setViewportSize({ width, height: 800 });
  for (let frame = 0; frame < MAX_FRAMES; frame++) {
    if ((await page.evaluate<string[]>(OVERFLOWING)).length === 0) return;
    await page.evaluate(NEXT_FRAME);
  }
  assert.deepEqual(await page.evaluate(OVERFLOWING), [], `${of} at ${width} px`);
}
