import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import type { Browser as HttpBrowser } from "#test/browser";
import { seriousFindings } from "./kit/axe.ts";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";

describe("administration pages", () => {
  let installation: Installation;
  let browser: TestBrowser;
  let owner: HttpBrowser;
  before(async () => {
    installation = await startInstallation();
    owner = await signIn(installation, "owner");
    browser = await openBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
  });

  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
  const saveBar = (page: Page) => page.getByRole("region", { name: "Unsaved changes" });

  describe("settings", () => {
    it("saves all changes of a page together and restores a default from an empty field", async () => {
      await browser.withPage({ as: owner }, async (page) => {
        await page.goto("/settings/limits");
        const perMinute = page.getByLabel("Calls per minute");
        const queued = page.getByLabel("Queued calls");
        await perMinute.waitFor();
        assert.equal(await saveBar(page).count(), 0);
        await perMinute.fill("120");
        await queued.fill("64");
        await button(page, "Save changes").click();
        await page.getByText("Saved", { exact: true }).waitFor();
        await saveBar(page).waitFor({ state: "detached" });
        await page.reload();
        assert.deepEqual([await perMinute.inputValue(), await queued.inputValue()], ["120 calls", "64 calls"]);
        await perMinute.fill("");
        await button(page, "Save changes").click();
        await saveBar(page).waitFor({ state: "detached" });
        await page.reload();
        assert.equal(await perMinute.inputValue(), "0 calls");
      });
    });

    it("discards changes, and asks before a link discards them", async () => {
      await browser.withPage({ as: owner }, async (page) => {
        await page.goto("/settings/logs");
        const field = page.getByLabel("Audit log retention");
        await field.fill("400");
        await button(page, "Discard").click();
        await saveBar(page).waitFor({ state: "detached" });
        assert.equal(await field.inputValue(), "365 days");
        await field.fill("400");
        await page.getByRole("link", { name: "About" }).click();
        await page.getByRole("dialog", { name: "Discard unsaved changes?" }).waitFor();
        await button(page, "Keep editing").click();
        assert.equal(await field.inputValue(), "400 days");
        await page.getByRole("link", { name: "About" }).click();
        await button(page, "Discard changes").click();
        await page.getByText("This installation").waitFor();
      });
    });

    it("shows errors at the field", async () => {
      await browser.withPage({ as: owner }, async (page, findings) => {
        await page.goto("/settings/logs");
        await page.getByLabel("Audit log retention").fill("3");
        await button(page, "Save changes").click();
        await page.getByText("Enter a number from 30 to 3,650").waitFor();
        await button(page, "Discard").click();
        findings.allowStatus(400);
        await page.goto("/settings");
        await page.getByLabel("Help contact").fill("not a contact");
        await button(page, "Save changes").click();
        await page.getByText("Must be an email, or an http or https URL").waitFor();
        await page.getByLabel("Help contact").fill("help@acme.example");
        await button(page, "Save changes").click();
        await page.getByText("Saved", { exact: true }).waitFor();
      });
    });

    it("sets up single sign-on, and confirms its removal", async () => {
      await browser.withPage({ as: owner }, async (page) => {
        await page.goto("/settings/sign-in");
        const toggle = page.getByRole("switch", { name: "Single sign-on" });
        await toggle.click();
        await button(page, "Save changes").click();
        await page.getByText("Enter the issuer URL").waitFor();
        await page.getByLabel("Issuer").fill("https://idp.example.com");
        await page.getByLabel("Client ID").fill("gatehouse");
        await page.getByRole("combobox", { name: "Allowed email domains" }).fill("example.com");
        await page.keyboard.press("Enter");
        await button(page, "Save changes").click();
        await saveBar(page).waitFor({ state: "detached" });
        assert.deepEqual(await seriousFindings(page), []);
        await page.reload();
        assert.equal(await page.getByLabel("Client ID").inputValue(), "gatehouse");
        await toggle.click();
        await button(page, "Save changes").click();
        await page.getByRole("dialog").getByRole("textbox").fill("remove");
        await button(page, "Remove single sign-on").click();
        await saveBar(page).waitFor({ state: "detached" });
        assert.equal(await toggle.isChecked(), false);
      });
    });

    it("shows the purposes of the data keys on a narrow page", async () => {
      await browser.withPage({ as: owner, width: 375 }, async (page) => {
        await page.goto("/settings/keys");
        const name = page.getByRole("table", { name: "Data keys" }).getByText("connection", { exact: true }).first();
        await name.waitFor();
        const box = await name.boundingBox();
        assert.ok(box && box.width > 40 && box.x + box.width <= 375, JSON.stringify(box));
      });
    });
  });
});
