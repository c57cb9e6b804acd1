import type { Page } from "playwright-core";

/**
 * What a mouse can press and the keyboard cannot reach, and what does not show that it has the focus. Transitions are
 * switched off first: a colour is judged as it ends.
 */
const FINDINGS = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("*, *::before, *::after { transition: none !important }");
  document.adoptedStyleSheets = [sheet];
  const isShown = (each) => each.getClientRects().length > 0 && each.checkVisibility({ visibilityProperty: true });
  const words = (each) => each.outerHTML.slice(0, 160);
  const everything = [...document.querySelectorAll("body *")].filter(isShown);
  const focusable = "a[href], button, input, select, textarea, summary, [tabindex]";
  const isReached = (each) => each.matches(focusable) && each.tabIndex >= 0 && !each.disabled;
  const isPointed = (each) => getComputedStyle(each).cursor === "pointer";
  // Items of a menu, a list of options or a set of radio buttons are reached by arrow keys, and so is a number's next.
  const byArrows = "[role=option], [role=menuitem], [role=tab], [role=radio], input[type=radio], .mantine-NumberInput-control";
  const isOff = (each) => each.closest("[disabled], [data-disabled]") !== null;
  const unreached = everything.filter((each) => isPointed(each) && !isPointed(each.parentElement))
    .filter((each) => !isOff(each) && !each.closest(byArrows + ", label") && !each.querySelector("label"))
    .filter((each) => ![...each.querySelectorAll(focusable)].some((inner) => isReached(inner) || inner.matches(byArrows)))
    .filter((each) => { for (let at = each; at; at = at.parentElement) if (isReached(at)) return false; return true; });
  const above = (each) => [each.parentElement, each.parentElement?.parentElement, each.parentElement?.parentElement?.parentElement];
  const around = (each) => [each, ...above(each).filter(Boolean), ...each.parentElement.children, ...each.children].map((one) => {
    const { outline, borderColor, boxShadow, backgroundColor, textDecorationLine } = getComputedStyle(one);
    const { outline: after } = getComputedStyle(one, "::after");
    return [outline, borderColor, boxShadow, backgroundColor, textDecorationLine, after].join();
  }).join();
  const before = document.activeElement;
  const unseen = everything.filter((each) => isReached(each) && !each.matches("[data-focus-guard]")).filter((each) => {
    document.activeElement?.blur();
    const plain = around(each);
    each.focus({ focusVisible: true, preventScroll: true });
    return document.activeElement === each && around(each) === plain;
  });
  before?.focus?.({ preventScroll: true });
  document.adoptedStyleSheets = [];
  return [...unreached.map((each) => "only for a mouse: " + words(each)), ...unseen.map((each) => "focus not seen: " + words(each))];
})()`;

export function keyboardFindings(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(FINDINGS);
}
