import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import type { Browser as HttpBrowser } from "#test/browser";
import { createGroup, createServer } from "#test/factories";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";
import { openSettled } from "./kit/pages.ts";

const HEIGHT = 500;
const SPACED = "Research  and  design";

describe("forms and dialogs", () => {
  let installation: Installation;
  let browser: TestBrowser;
  let owner: HttpBrowser;
  before(async () => {
    installation = await startInstallation();
    owner = await signIn(installation, "owner");
    await createServer(installation.service, "Warehouse", "https://warehouse.example.com/mcp");
    await createGroup(installation.service, SPACED);
    browser = await openBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
  });

  const dialog = (page: Page, name: string) => page.getByRole("dialog", { name });
  const focused = (page: Page) => page.locator(":focus");

  describe("after an error", () => {
    it("focus the field that the API rejected and scroll it into view", async () => {
      await browser.withPage({ as: owner, height: HEIGHT }, async (page, findings) => {
        findings.allowStatus(400);
        await openSettled(page, "/mcp-servers/warehouse?tab=settings");
        const slug = page.getByRole("textbox", { name: "Slug" });
        await slug.fill("Not A Slug!");
        await page.getByRole("button", { name: "Save changes" }).first().click();
        await page.getByText("must contain only lowercase letters").waitFor();
        await slug.and(focused(page)).waitFor();
        const { y = -1 } = (await slug.boundingBox()) ?? {};
        assert.ok(y >= 0 && y < HEIGHT, `the field is in view, not at ${y}`);
      });
    });

    it("focus the first invalid field, also of the first submission and in a group of checkboxes", async () => {
      await browser.withPage({ as: owner }, async (page) => {
        await openSettled(page, "/api-tokens?add=token");
        const form = dialog(page, "Create API token");
        const create = form.getByRole("button", { name: "Create token" });
        await create.click();
        await form.getByText("Enter a name").waitFor();
        await form.getByLabel("Name").and(focused(page)).waitFor();
        await form.getByLabel("Name").fill("Report");
        await form.getByRole("checkbox", { checked: true }).first().uncheck();
        await create.click();
        await form.getByText("Select at least one scope").waitFor();
        await form.getByRole("checkbox").first().and(focused(page)).waitFor();
      });
    });

    it("show the rejected field when it is one of the hidden options", async () => {
      await browser.withPage({ as: owner }, async (page, findings) => {
        findings.allowStatus(400);
        await openSettled(page, "/mcp-servers?add=url");
        const form = dialog(page, "Add MCP server");
        await form.getByLabel("Server URL").fill("https://boxes.example.com/mcp");
        await form.getByLabel("Name").fill("Boxes");
        await form.getByRole("button", { name: "More options" }).click();
        await form.getByLabel("Slug").fill("Not A Slug!");
        await form.getByRole("button", { name: "Fewer options" }).click();
        await form.getByRole("button", { name: "Add server" }).click();
        await form.getByLabel("Slug").and(focused(page)).waitFor();
      });
    });

    it("return the focus to the button if no field caused it", async () => {
      await browser.withPage({ as: owner }, async (page, findings) => {
        findings.allowStatus(503);
        await openSettled(page, "/groups?add=group");
        await page.route("**/api/groups", (route) => route.fulfill({ status: 503, json: {} }));
        const form = dialog(page, "Create group");
        await form.getByLabel("Name").fill("Packers");
        await form.getByRole("button", { name: "Create group" }).click();
        await form.getByRole("alert").waitFor();
        await form.getByRole("button", { name: "Create group" }).and(focused(page)).waitFor();
      });
    });
  });

  describe("while a request runs", () => {
    /** Holds requests of this method back until the returned function is called. */
    const hold = async (page: Page, path: string): Promise<() => void> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      await page.route(path, async (route) => {
        if (route.request().method() === "POST") await promise;
        await route.continue();
      });
      return resolve;
    };
    const tryToClose = async (page: Page, name: string) => {
      await page.keyboard.press("Escape");
      await page.mouse.click(5, 5);
      assert.ok(await dialog(page, name).getByRole("button", { name: "Close" }).isDisabled());
      assert.ok(await dialog(page, name).isVisible());
    };

    it("keep the dialog of a new token open, so that its secret is shown", async () => {
      await browser.withPage({ as: owner }, async (page) => {
        await openSettled(page, "/api-tokens?add=token");
        const release = await hold(page, "**/api/api-tokens");
        const form = dialog(page, "Create API token");
        await form.getByLabel("Name").fill("Nightly report");
        await form.getByRole("button", { name: "Create token" }).click();
        await tryToClose(page, "Create API token");
        release();
        await dialog(page, "API token Nightly report").getByRole("button", { name: "Copy token" }).waitFor();
      });
    });

    it("keep a dialog open until the error is shown, and can then be closed", async () => {
      await browser.withPage({ as: owner }, async (page, findings) => {
        findings.allowStatus(400, 409);
        await openSettled(page, "/groups?add=group");
        const release = await hold(page, "**/api/groups");
        const form = dialog(page, "Create group");
        await form.getByLabel("Name").fill(SPACED);
        await form.getByRole("button", { name: "Create group" }).click();
        await tryToClose(page, "Create group");
        release();
        await form.getByText(/already|exists|taken/i).waitFor();
        await page.keyboard.press("Escape");
        await form.waitFor({ state: "detached" });
      });
    });
  });

  it("ask for a name with all its spaces before deleting a record", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      await openSettled(page, `/groups/${encodeURIComponent(SPACED)}?tab=settings`);
      await page.getByRole("button", { name: "Delete group" }).click();
      const confirm = page.getByRole("dialog");
      const shown = await confirm.locator("label code").innerText();
      await confirm.getByRole("textbox").fill(shown);
      await confirm.getByRole("button", { name: "Delete group" }).click();
      await page.waitForURL("**/groups");
    });
  });
});
