import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { type Hostile, startHostile } from "./kit/hostile.ts";
import { goSettled, openSettled } from "./kit/pages.ts";
import { PAYLOADS } from "./kit/payloads.ts";

/** Tall enough to render every row of every list. */
const TALL = { height: 9_000 };
/** Text fields in responses of an authorization server. */
const OAUTH_FIELDS = [
  "issuer",
  "error",
  "error_description",
  "client_id",
  "client_name",
  "redirect_uris",
  "token_endpoint",
];
/** Executed attacks, and elements that only an attack can have created. */
const BREACHES = `[
  ...(typeof __xss === "undefined" ? [] : ["code ran"]),
  ...[...document.querySelectorAll("*")].filter((each) => {
    const target = each.getAttribute("href") ?? each.getAttribute("src") ?? each.getAttribute("action");
    const url = target === null ? null : URL.parse(target, document.baseURI);
    return each.getAttributeNames().some((name) => name.startsWith("on") || name === "srcdoc")
      || each.matches("iframe, object, embed, base, marquee, meta[http-equiv], animate, audio, video")
      || (each.matches("script, img, link, form, source") && (url ? url.origin !== location.origin : !each.matches("form")))
      || (url !== null && !["http:", "https:", "mailto:"].includes(url.protocol));
  }).map(({ outerHTML }) => outerHTML.slice(0, 200)),
]`;

describe("untrusted text (WEB-2)", () => {
  let hostile: Hostile;
  let browser: TestBrowser;
  before(async () => {
    hostile = await startHostile();
    browser = await openBrowser(hostile);
  });
  after(async () => {
    await browser?.close();
    await hostile?.close();
  });

  async function assertHarmless(page: Page, of: string): Promise<void> {
    assert.deepEqual(await page.evaluate(BREACHES), [], of);
  }
  async function visit(page: Page, path: string): Promise<void> {
    await openSettled(page, path);
    await assertHarmless(page, path);
  }
  /** Navigates within the app without a reload. */
  async function navigate(page: Page, path: string): Promise<void> {
    await goSettled(page, path);
    await assertHarmless(page, path);
  }

  it("is shown unchanged in every list", async () => {
    await browser.withPage({ as: hostile.owner, ...TALL }, async (page) => {
      for (const path of [
        "/mcp-servers",
        "/groups",
        "/users",
        "/machine-users",
        "/api-tokens",
        "/catalog?source=registry",
      ]) {
        await (path === "/mcp-servers" ? visit : navigate)(page, path);
        for (const text of PAYLOADS) await page.getByText(text, { exact: true }).first().waitFor();
        await assertHarmless(page, path);
      }
    });
  });

  it("is inert on every page", async () => {
    const tabs = ["overview", "tools", "auth", "access", "connections", "logs", "settings"];
    const paths = [
      "/",
      "/mcp-servers/named-4",
      ...["tools", "broken", "keyed"].flatMap((slug) => tabs.map((tab) => `/mcp-servers/${slug}?tab=${tab}`)),
      `/groups/${encodeURIComponent(PAYLOADS[4] ?? "")}`,
      `/groups/${encodeURIComponent(PAYLOADS[4] ?? "")}?tab=servers`,
      "/users/person-4@acme.example",
      "/users/member@acme.example?tab=sessions",
      "/users/member@acme.example?tab=access",
      "/access?email=member@acme.example",
      "/connections",
      "/connections?open=keyed",
      "/logs",
      "/playground",
      "/audit",
      "/settings",
      "/setup",
    ];
    await browser.withPage({ as: hostile.owner, ...TALL }, async (page) => {
      await visit(page, "/");
      for (const path of paths) await navigate(page, path);
    });
  });

  it("is inert in panels, forms, results, and discovery logs", async () => {
    await browser.withPage({ as: hostile.owner, ...TALL }, async (page, findings) => {
      await visit(page, "/logs");
      for (const path of hostile.panelPaths) {
        await navigate(page, path);
        await page.getByRole("dialog").waitFor();
        const showPayload = page.getByRole("button", { name: "Show request and response" });
        if (path === hostile.panelPaths[0]) {
          await showPayload.click();
          await page.getByRole("region", { name: "response" }).getByText("foreignObject").first().waitFor();
        }
        await assertHarmless(page, path);
      }
      await navigate(page, "/playground?tool=answers__form");
      await page.locator("form [role=combobox], form input[aria-haspopup=listbox]").first().click();
      await page.getByRole("option").first().waitFor();
      await assertHarmless(page, "the form of the tool");
      await navigate(page, "/playground?tool=answers__answer");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByText("Structured content").waitFor();
      await assertHarmless(page, "the result");
      findings.allowStatus(400);
      for (const spoilt of ["registration", "metadata", "token"] as const) {
        hostile.customer.behaviour[spoilt] = () =>
          Object.fromEntries(OAUTH_FIELDS.map((name) => [name, PAYLOADS.join()]));
        await navigate(page, "/mcp-servers/signed?tab=auth");
        await page.getByRole("button", { name: "Discover OAuth Settings" }).click();
        await page.getByRole("list", { name: "Discovery steps" }).waitFor();
        await assertHarmless(page, `discovery with hostile ${spoilt}`);
      }
    });
  });

  it("is inert on server-rendered pages and in URL parameters", async () => {
    await browser.withPage({ as: hostile.owner }, async (page, findings) => {
      findings.allowStatus(400, 404);
      await visit(page, hostile.consentPath);
      for (const text of [PAYLOADS[4], PAYLOADS[51]]) {
        const attack = encodeURIComponent(text ?? "");
        for (const path of [
          `/mcp-servers?q=${attack}`,
          `/mcp-servers/${attack}`,
          `/groups/${attack}x?q=${attack}`,
          `/users/${attack}`,
          `/logs?q=${attack}&tool=${attack}&call=${attack}`,
          `/audit?target=${attack}&open=${attack}`,
          `/catalog?add=${attack}&category=${attack}`,
          `/sign-in?return_to=${attack}`,
          `/sso-callback?error=${attack}&error_description=${attack}&state=${attack}`,
          `/oauth/callback?error=${attack}&error_description=${attack}&state=${attack}`,
        ]) {
          await visit(page, path);
        }
      }
    });
    await browser.withPage({ as: hostile.member }, async (page, findings) => {
      await visit(page, "/connections");
      await page.getByRole("button", { name: `Disconnect ${PAYLOADS[0]}`, exact: true }).waitFor();
      await navigate(page, "/connections?open=keyed");
      await visit(page, "/connect/keyed");
      findings.allowStatus(400);
      await visit(page, hostile.oauthErrorPath);
    });
  });
});
