import type { Page } from "playwright-core";

/**
 * Elements that only a mouse can reach, and elements without a visible focus style. Transitions are disabled, so that
 * final styles are compared.
 */
const FINDINGS = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("*, *::before, *::after { transition: none !important }");
  document.adoptedStyleSheets = [sheet];
  const isShown = (each) => each.getClientRects().length > 0 && each.checkVisibility({ visibilityProperty: true });
  const html = (each) => each.outerHTML.slice(0, 160);
  const everything = [...document.querySelectorAll("body *")].filter(isShown);
  const focusable = "a[href], button, input, select, textarea, summary, [tabindex]";
  const isReached = (each) => each.matches(focusable) && each.tabIndex >= 0 && !each.disabled;
  const isPointed = (each) => getComputedStyle(each).cursor === "pointer";
  // Menu items, options, radio buttons, and number controls are operated with arrow keys, and picked values with Backspace.
  const byArrows = "[role=option], [role=menuitem], [role=tab], [role=radio], input[type=radio], .mantine-NumberInput-control, .mantine-MultiSelect-root .mantine-Pill-remove, .mantine-TagsInput-root .mantine-Pill-remove";
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
  return [...unreached.map((each) => "mouse only: " + html(each)), ...unseen.map((each) => "no visible focus: " + html(each))];
})()`;

export function keyboardFindings(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(FINDINGS);
}
