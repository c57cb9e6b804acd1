import type { Page } from "playwright-core";
import type { PageOptions } from "./browser.ts";
import type { Seeded } from "./seed.ts";

const VIEWERS = ["owner", "member", "visitor"] as const;
type Viewer = (typeof VIEWERS)[number];
/** One test visits at most this many pages, so that it ends before its timeout on a slow machine. */
const PAGES_PER_TEST = 30;

export interface SeededPage {
  readonly path: string;
  /** Defaults to the owner. */
  readonly as?: Viewer;
}

const SERVER_TABS = ["overview", "tools", "auth", "access", "connections", "logs", "settings"];

/** Every page with its tabs, on the data of seed.ts. */
export const PAGES: readonly SeededPage[] = [
  { path: "/" },
  { path: "/mcp-servers" },
  { path: "/mcp-servers?add=json" },
  ...SERVER_TABS.map((tab) => ({ path: `/mcp-servers/github?tab=${tab}` })),
  { path: "/mcp-servers/internal-wiki?tab=tools" },
  { path: "/mcp-servers/stripe?tab=auth" },
  { path: "/catalog" },
  { path: "/catalog/github" },
  { path: "/groups" },
  { path: "/groups/Engineering" },
  { path: "/groups/Engineering?tab=servers" },
  { path: "/groups/Engineering?tab=toolkits" },
  { path: "/groups/Engineering?tab=skills" },
  { path: "/groups/Engineering?tab=settings" },
  { path: "/guards" },
  { path: "/guards/payment-cards" },
  { path: "/guards/payment-cards?tab=checks" },
  { path: "/guards/payment-cards?tab=test" },
  { path: "/guards/payment-cards?tab=dry-run" },
  { path: "/approvals" },
  { path: "/approvals?tab=history" },
  { path: "/approvals/apr_seed1" },
  { path: "/approvals/apr_seed2" },
  { path: "/approvals/apr_seed3", as: "member" },
  { path: "/groups/Engineering?tab=commands" },
  { path: "/commands" },
  { path: "/commands/release-notes" },
  { path: "/commands/release-notes?tab=access" },
  { path: "/commands/release-notes?tab=settings" },
  { path: "/groups/Engineering?tab=plugins" },
  { path: "/plugins" },
  { path: "/plugins/team-tools" },
  { path: "/plugins/team-tools?tab=releases&version=1.0.0" },
  { path: "/plugins/team-tools?tab=access" },
  { path: "/plugins/team-tools?tab=settings" },
  { path: "/skills" },
  { path: "/skills/release-notes" },
  { path: "/skills/release-notes?tab=files" },
  { path: "/skills/release-notes?tab=versions" },
  { path: "/skills/release-notes?tab=versions&version=1" },
  { path: "/skills/release-notes?tab=access" },
  { path: "/skills/release-notes?tab=settings" },
  { path: "/toolkits" },
  { path: "/toolkits/issue-triage" },
  { path: "/toolkits/issue-triage?tab=access" },
  { path: "/toolkits/issue-triage?tab=settings" },
  { path: "/toolkits/release-notes" },
  { path: "/users" },
  ...["overview", "connections", "access", "sessions"].map((tab) => ({ path: `/users/ada@acme.example?tab=${tab}` })),
  { path: "/agents" },
  { path: "/agents/issue-triage" },
  { path: "/agents/issue-triage?tab=triggers" },
  { path: "/agents/issue-triage?tab=settings" },
  { path: "/agents/issue-triage?tab=settings&test=ses_seed2" },
  { path: "/agents/release-bot?tab=settings" },
  { path: "/agents/issue-triage/sessions/ses_seed2" },
  { path: "/agents/issue-triage/sessions/ses_seed1" },
  { path: "/discovery" },
  { path: "/discovery/inventory" },
  { path: "/discovery/inventory?tab=skills" },
  { path: "/discovery/inventory?tab=memory" },
  { path: "/discovery/inventory?tab=agents" },
  { path: "/discovery/devices" },
  { path: "/discovery/devices?device=seed-ada" },
  { path: "/discovery/policy" },
  { path: "/discovery/policy?rule=new" },
  { path: "/discovery/policy?tab=violations" },
  { path: "/discovery/policy?tab=history" },
  { path: "/discovery/roll-out" },
  { path: "/issuers" },
  { path: "/issuers?add=issuer" },
  { path: "/issuers/github-actions" },
  { path: "/issuers/github-actions?tab=test" },
  { path: "/issuers/github-actions?tab=credentials" },
  { path: "/machine-users" },
  { path: "/machine-users/build-bot" },
  { path: "/access?email=ada@acme.example" },
  { path: "/access?email=ada@acme.example&tool=stripe__refund" },
  { path: "/access?tab=tool&server=github" },
  { path: "/machine-users/build-bot?tab=connections" },
  { path: "/connections" },
  { path: "/connections", as: "member" },
  ...["more", "requests"].map((tab) => ({ path: `/connections?tab=${tab}`, as: "member" as const })),
  { path: "/my-calls", as: "member" },
  { path: "/my-toolkits", as: "member" },
  { path: "/library", as: "member" },
  { path: "/access?tab=requests" },
  { path: "/connections?open=hubspot", as: "member" },
  { path: "/logs" },
  { path: "/playground" },
  { path: "/playground?tool=github__list_issues" },
  { path: "/playground?tool=intercom__search_conversations", as: "member" },
  { path: "/api-tokens" },
  { path: "/api-tokens?add=token" },
  { path: "/webhooks" },
  { path: "/webhooks?add=webhook" },
  ...["deliveries", "verify", "settings"].map((tab) => ({ path: `/webhooks/whk_oncall?tab=${tab}` })),
  { path: "/webhooks/whk_oncall?open=whd_seed0" },
  { path: "/webhooks/whk_tickets" },
  { path: "/log-destinations" },
  { path: "/log-destinations?add=destination" },
  { path: "/audit" },
  { path: "/settings" },
  { path: "/settings/limits" },
  { path: "/settings/logs" },
  { path: "/settings/email" },
  { path: "/settings/keys" },
  { path: "/settings/sign-in" },
  { path: "/settings/provisioning" },
  { path: "/settings/about" },
  { path: "/setup" },
  { path: "/setup?as=machine" },
  { path: "/sign-in", as: "visitor" },
  { path: "/setup-link", as: "visitor" },
  { path: "/invite", as: "visitor" },
  { path: "/account" },
  { path: "/account", as: "member" },
  { path: "/connect/hubspot", as: "member" },
];

/** The pages that one test visits. */
export interface Visit {
  readonly name: string;
  readonly viewer: Viewer;
  readonly paths: readonly string[];
}

/** All pages, divided into tests. */
export const VISITS: readonly Visit[] = VIEWERS.flatMap((viewer) => {
  const paths = PAGES.filter(({ as = "owner" }) => as === viewer).map(({ path }) => path);
  return Array.from({ length: Math.ceil(paths.length / PAGES_PER_TEST) }, (_, part) => {
    const from = part * PAGES_PER_TEST;
    const visited = paths.slice(from, from + PAGES_PER_TEST);
    return { name: `pages ${from + 1} to ${from + visited.length} of the ${viewer}`, viewer, paths: visited };
  });
});

/** A visitor is not signed in. */
export function personOf(seeded: Seeded, viewer: Viewer): PageOptions {
  return viewer === "visitor" ? {} : { as: seeded[viewer] };
}

/** Whether the app renders this path; the server renders the others. */
export function isAppPage(path: string): boolean {
  return !/^(?:blank|\/sign-in|\/setup-link|\/invite|\/connect\/)/.test(path);
}

/** Opens a page and waits until it is loaded completely. */
export async function openSettled(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await settled(page);
}

/** Navigates within the app without a reload, which is much faster. */
export async function goSettled(page: Page, path: string): Promise<void> {
  // Resolves when the page's code is loaded and rendered.
  await page.evaluate<void>(`__TSR_ROUTER__.navigate({ href: ${JSON.stringify(path)} })`);
  await settled(page);
}

async function settled(page: Page): Promise<void> {
  await page.locator("h1, main [role=alert]").first().waitFor();
  await page.locator("[aria-busy=true], .mantine-Skeleton-root").first().waitFor({ state: "detached" });
}
