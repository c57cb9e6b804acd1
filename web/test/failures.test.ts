import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import type { Browser as HttpBrowser } from "#test/browser";
import { createGroup } from "#test/factories";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";
import { openSettled } from "./kit/pages.ts";

const MESSAGE = "The database is busy";
/** As on pages without HTTPS. */
const NO_CLIPBOARD = 'Object.defineProperty(navigator, "clipboard", { value: undefined })';

describe("failed actions on lists and text", () => {
  let installation: Installation;
  let browser: TestBrowser;
  let owner: HttpBrowser;
  before(async () => {
    installation = await startInstallation();
    const { service } = installation;
    owner = await signIn(installation, "owner");
    await createGroup(service, "Writers");
    await service.api("POST", "/api/skills", { name: "notes", description: "Notes.", content: "# Notes" });
    await service.api("POST", "/api/groups/Writers/skills", { slugs: ["notes"] });
    browser = await openBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
  });

  const refuse = (page: Page, method: string) =>
    page.route("**/api/**", (route) =>
      route.request().method() === method
        ? route.fulfill({ status: 503, json: { message: MESSAGE } })
        : route.continue(),
    );
  const message = (page: Page, text: string) => page.getByRole("alert").filter({ hasText: text });

  it("are reported when a record cannot be removed from a group", async () => {
    await browser.withPage({ as: owner }, async (page, findings) => {
      findings.allowStatus(503);
      await openSettled(page, "/groups/Writers?tab=skills");
      await refuse(page, "DELETE");
      await page.getByRole("button", { name: "Remove notes from Writers" }).click();
      await message(page, MESSAGE).waitFor();
    });
  });

  it("are reported when a guard cannot be turned on in the list", async () => {
    await browser.withPage({ as: owner }, async (page, findings) => {
      findings.allowStatus(503);
      await openSettled(page, "/guards");
      await refuse(page, "PATCH");
      await page.getByRole("row").filter({ hasText: "Payment cards" }).locator(".mantine-Switch-track").click();
      await message(page, MESSAGE).waitFor();
      await page.getByRole("switch", { name: "Turn on Payment cards", checked: false }).waitFor();
    });
  });

  it("are reported when the browser blocks copying", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      await page.addInitScript(NO_CLIPBOARD);
      await openSettled(page, "/groups");
      await page.getByRole("button", { name: /^Copy/ }).first().click();
      await message(page, "Not copied").waitFor();
      await page.getByRole("button", { name: "Close" }).click();
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Search or jump to" }).fill("Copy gateway");
      await page.getByRole("option", { name: "Copy gateway URL" }).click();
      await message(page, "Not copied").waitFor();
    });
  });
});
