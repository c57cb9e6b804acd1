import type { Locator, Page } from "playwright-core";

/** A dialog, drawer, menu, or result of a page: the accessible names of the controls to click, in order. */
export type Opening = readonly (string | RegExp)[];

/** The openings of each page by its path in pages.ts. A control that is hidden at a width is skipped there. */
export const OPENINGS: Readonly<Record<string, readonly Opening[]>> = {
  "/": [["Open navigation"], [/^Account of/], ["Search"]],
  "/mcp-servers": [
    [/^Actions for GitHub/],
    [/^Actions for GitHub/, /^Delete/],
    ["Add server"],
    ["Select GitHub", "Change"],
  ],
  "/mcp-servers/github?tab=tools": [[/^create_issue/]],
  "/mcp-servers/github?tab=settings": [[/^Delete/]],
  "/catalog": [[/^Add HubSpot/]],
  "/groups": [["Create group"], [/^Actions for Engineering/], [/^Actions for Engineering/, /^Delete/]],
  "/groups/Engineering": [["Add members"]],
  "/groups/Engineering?tab=servers": [["Add servers"]],
  "/guards": [["Create guard"]],
  "/agents": [["Create agent"], ["Import agents"]],
  "/discovery/inventory": [[/^notes/]],
  "/discovery/inventory?tab=skills": [[/^pdf/]],
  "/agents/issue-triage": [["Run"]],
  "/agents/issue-triage?tab=settings": [[/^Delete/]],
  "/commands": [["Create command"], ["Import command"]],
  "/commands/release-notes?tab=settings": [[/^Delete/]],
  "/plugins": [["Create plugin"]],
  "/plugins/team-tools": [["Publish"], ["Add agent"]],
  "/plugins/team-tools?tab=settings": [[/^Delete/]],
  "/skills": [["Create skill"], ["Import skill"]],
  "/skills/release-notes?tab=settings": [[/^Delete/]],
  "/toolkits": [["Create toolkit"]],
  "/toolkits/issue-triage": [[/^GitHub/], ["Edit github__file_issue"]],
  "/toolkits/issue-triage?tab=settings": [[/^Delete/]],
  "/users": [["Add user"], [/^Actions for Ada/], [/^Actions for Ada/, /^Delete/]],
  "/machine-users": [["Create machine user"], [/^Actions for Build bot/], [/^Actions for Build bot/, /^Rotate/]],
  "/machine-users/build-bot": [["Rotate secret"]],
  "/api-tokens": [["Create token"], [/^Actions for Terraform/], [/^Actions for Terraform/, /^Revoke/]],
  "/webhooks": [["Create webhook"], [/^Actions for On-call/], [/^Actions for On-call/, /^Delete/]],
  "/webhooks/whk_oncall?tab=settings": [["Rotate secret"], [/^Delete/]],
  "/audit": [[/^(?:Create|Update|Add|Set)/]],
  "/logs": [[/^\d\d:\d\d:\d\d/], ["Views"], ["Export"], ["Last 24 hours"], ["More filters"], [/^\d+ errors/]],
  "/playground?tool=intercom__search_conversations": [["Run"], ["Run", "Run anyway"]],
};

/** Opens an opening on a loaded page. Returns false if one of its controls is not visible at this width. */
export async function openOpening(page: Page, opening: Opening): Promise<boolean> {
  for (const name of opening) {
    const control = controlOf(page, name);
    if ((await control.count()) === 0 || !(await control.isVisible())) return false;
    await control.click();
  }
  await page.locator("[aria-busy=true], .mantine-Skeleton-root").first().waitFor({ state: "detached" });
  await page.getByRole("region", { name: "Running" }).waitFor({ state: "detached" });
  return true;
}

function controlOf(page: Page, name: string | RegExp): Locator {
  const roles = ["button", "menuitem", "checkbox", "row"] as const;
  const [first, ...rest] = roles.map((role) => page.getByRole(role, { name, exact: typeof name === "string" }));
  return rest.reduce<Locator>((all, one) => all.or(one), first ?? page.locator("body")).first();
}

/** A file name for the screenshot of an opening. */
export function nameOf(opening: Opening): string {
  return opening
    .map((name) => (typeof name === "string" ? name : name.source).replace(/\W+/g, "-").replace(/^-|-$/g, ""))
    .join("-")
    .toLowerCase();
}
