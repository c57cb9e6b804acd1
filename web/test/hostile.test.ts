import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { type Hostile, startHostile } from "./kit/hostile.ts";
import { goSettled, openSettled } from "./kit/pages.ts";
import { PAYLOADS } from "./kit/payloads.ts";

/** Tall enough that no list leaves anything out. */
const TALL = { height: 9_000 };
/** What an authorization server may say of itself. */
const SAID = ["issuer", "error", "error_description", "client_id", "client_name", "redirect_uris", "token_endpoint"];
/** What has run, and what stands in the page that only an attack can have put there. */
const BREACHES = `[
  ...(typeof __xss === "undefined" ? [] : ["it ran"]),
  ...[...document.querySelectorAll("*")].filter((each) => {
    const address = each.getAttribute("href") ?? each.getAttribute("src") ?? each.getAttribute("action");
    const url = address === null ? null : URL.parse(address, document.baseURI);
    return each.getAttributeNames().some((name) => name.startsWith("on") || name === "srcdoc")
      || each.matches("iframe, object, embed, base, marquee, meta[http-equiv], animate, audio, video")
      || (each.matches("script, img, link, form, source") && (url ? url.origin !== location.origin : !each.matches("form")))
      || (url !== null && !["http:", "https:", "mailto:"].includes(url.protocol));
  }).map(({ outerHTML }) => outerHTML.slice(0, 200)),
]`;

describe("what strangers wrote (WEB-2)", () => {
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

  async function harmless(page: Page, of: string): Promise<void> {
    assert.deepEqual(await page.evaluate(BREACHES), [], of);
  }
  async function visit(page: Page, path: string): Promise<void> {
    await openSettled(page, path);
    await harmless(page, path);
  }
  /** From one page of the app to the next, as by links. */
  async function goOn(page: Page, path: string): Promise<void> {
    await goSettled(page, path);
    await harmless(page, path);
  }

  it("is shown as it was written in every list", async () => {
    await browser.withPage({ as: hostile.owner, ...TALL }, async (page) => {
      for (const path of [
        "/mcp-servers",
        "/groups",
        "/users",
        "/machine-users",
        "/api-tokens",
        "/catalog?source=registry",
      ]) {
        await (path === "/mcp-servers" ? visit : goOn)(page, path);
        for (const text of PAYLOADS) await page.getByText(text, { exact: true }).first().waitFor();
        await harmless(page, path);
      }
    });
  });

  it("does nothing on any page that shows it", async () => {
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
      for (const path of paths) await goOn(page, path);
    });
  });

  it("does nothing in what opens: a call with all it carried, a change, a tool's form, its answer, a discovery", async () => {
    await browser.withPage({ as: hostile.owner, ...TALL }, async (page, findings) => {
      await visit(page, "/logs");
      for (const path of hostile.panelPaths) {
        await goOn(page, path);
        await page.getByRole("dialog").waitFor();
        const carried = page.getByRole("button", { name: "Show request and answer" });
        if (path === hostile.panelPaths[0]) {
          await carried.click();
          await page.getByRole("region", { name: "answer" }).getByText("foreignObject").first().waitFor();
        }
        await harmless(page, path);
      }
      await goOn(page, "/playground?tool=answers__form");
      await page.locator("form [role=combobox], form input[aria-haspopup=listbox]").first().click();
      await page.getByRole("option").first().waitFor();
      await harmless(page, "the form of a tool");
      await goOn(page, "/playground?tool=answers__answer");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByText("Structured content").waitFor();
      await harmless(page, "an answer");
      findings.allowStatus(400);
      for (const spoilt of ["registration", "metadata", "token"] as const) {
        hostile.customer.behaviour[spoilt] = () => Object.fromEntries(SAID.map((name) => [name, PAYLOADS.join()]));
        await goOn(page, "/mcp-servers/signed?tab=auth");
        await page.getByRole("button", { name: "Discover OAuth Settings" }).click();
        await page.getByRole("list", { name: "Discovery steps" }).waitFor();
        await harmless(page, `discovery with hostile ${spoilt}`);
      }
    });
  });

  it("does nothing on the pages of its own that a browser is led to, nor out of an address", async () => {
    await browser.withPage({ as: hostile.owner }, async (page, findings) => {
      findings.allowStatus(400, 404);
      await visit(page, hostile.consentPath);
      for (const text of [PAYLOADS[4], PAYLOADS[51]]) {
        const said = encodeURIComponent(text ?? "");
        for (const path of [
          `/mcp-servers?q=${said}`,
          `/mcp-servers/${said}`,
          `/groups/${said}x?q=${said}`,
          `/users/${said}`,
          `/logs?q=${said}&tool=${said}&call=${said}`,
          `/audit?target=${said}&open=${said}`,
          `/catalog?add=${said}&category=${said}`,
          `/sign-in?return_to=${said}`,
          `/sso-callback?error=${said}&error_description=${said}&state=${said}`,
          `/oauth/callback?error=${said}&error_description=${said}&state=${said}`,
        ]) {
          await visit(page, path);
        }
      }
    });
    await browser.withPage({ as: hostile.member }, async (page, findings) => {
      await visit(page, "/connections");
      await page.getByRole("button", { name: `Disconnect ${PAYLOADS[0]}`, exact: true }).waitFor();
      await goOn(page, "/connections?open=keyed");
      await visit(page, "/connect/keyed");
      findings.allowStatus(400);
      await visit(page, hostile.refusedPath);
    });
  });
});
