import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createGroup, createMachineUser, type MachineUser } from "#test/factories";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";

describe("commands in the app", () => {
  let installation: Installation;
  let browser: TestBrowser;
  let bot: MachineUser;
  let owner: ReturnType<typeof signIn>;
  before(async () => {
    installation = await startInstallation({});
    bot = await createMachineUser(installation.service, "bot");
    await createGroup(installation.service, "Writers", { emails: [bot.email] });
    browser = await openBrowser(installation);
    owner = signIn(installation, "owner");
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
  });

  const prompt = async (name: string, values: object) => {
    const message = { jsonrpc: "2.0", id: 1, method: "prompts/get", params: { name, arguments: values } };
    return (await installation.service.mcp(bot.credential, message)).body;
  };

  it("are created, previewed, shared, activated, and used by a client", async () => {
    await browser.withPage({ as: await owner }, async (page) => {
      await page.goto("/commands");
      await page.getByRole("button", { name: "Create command" }).first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("Release notes");
      await dialog.getByLabel("Content").fill("Notes for {{version}}");
      await dialog.getByRole("button", { name: "Create command" }).click();
      await page.getByRole("heading", { name: "Release notes", exact: true }).waitFor();
      const preview = page.getByRole("region", { name: "Preview" });
      await preview.getByLabel("version").fill("1.4");
      await preview.getByText("Notes for 1.4", { exact: true }).waitFor();
      await page.getByRole("textbox", { name: "Content" }).fill("Notes for {{version}}, {{tone}}");
      await preview.getByLabel("tone").fill("dry");
      await preview.getByText("Notes for 1.4, dry", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByRole("textbox", { name: "Name of argument 2" }).waitFor();
      await page.getByRole("checkbox", { name: "Required, of argument 1" }).check();
      await page.getByRole("button", { name: "Save changes" }).click();
      await preview.getByLabel("version").fill("");
      await preview.getByText("Enter version to see the text.").waitFor();
      const tabs = page.getByRole("navigation", { name: "Command" });
      await tabs.getByRole("link", { name: "Access" }).click();
      await page.getByRole("button", { name: "Change groups" }).click();
      await page.getByRole("combobox", { name: "Groups" }).click();
      await page.getByRole("option", { name: "Writers" }).click();
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByRole("link", { name: "Writers" }).waitFor();
      assert.equal((await prompt("release-notes", {})).error.message, "Unknown prompt: release-notes");
      await page.getByRole("button", { name: "Activate" }).click();
      await page.getByRole("button", { name: "Set to draft" }).waitFor();
      const { result } = await prompt("release-notes", { version: "2", tone: "warm" });
      assert.equal(result.messages[0].content.text, "Notes for 2, warm");
      await tabs.getByRole("link", { name: "Settings" }).click();
      await page.getByLabel("Slug").fill("notes");
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.waitForURL(/\/commands\/notes/);
      assert.equal((await prompt("release-notes", {})).error.message, "Unknown prompt: release-notes");
    });
  });

  it("are imported from a pasted file", async () => {
    await browser.withPage({ as: await owner }, async (page) => {
      await page.goto("/commands?add=import");
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Text").fill("---\ndescription: Fix it\n---\nFix #$1\n");
      await dialog.getByLabel("Slug").fill("fix-issue");
      await dialog.getByRole("button", { name: "Import command" }).click();
      await page.getByRole("heading", { name: "fix-issue", exact: true }).waitFor();
      await page.getByText("Fix it").first().waitFor();
    });
  });

  const create = async (name: string) => {
    const answer = await installation.service.api("POST", "/api/commands", { name, content: "Saved text" });
    assert.equal(answer.status, 201, answer.text);
  };
  const stored = async (slug: string) => (await installation.service.api("GET", `/api/commands/${slug}`)).body.data;

  it("keep typed text when another button changes the command, and while a save is running", async () => {
    await create("Kept");
    await browser.withPage({ as: await owner }, async (page) => {
      await page.goto("/commands/kept");
      const content = page.getByRole("textbox", { name: "Content" });
      await content.fill("Typed text");
      await page.getByRole("button", { name: "Activate" }).click();
      await page.getByRole("button", { name: "Set to draft" }).waitFor();
      assert.equal(await content.inputValue(), "Typed text");
      const saving = Promise.withResolvers<void>();
      await page.route("**/api/commands?*", async (route) => {
        await saving.promise;
        await route.continue();
      });
      await page.getByRole("button", { name: "Save changes" }).click();
      await content.fill("Typed text, and more");
      saving.resolve();
      await page.getByRole("alert").filter({ hasText: "Saved" }).last().waitFor();
      const button = page.getByRole("button", { name: "Save changes" });
      await button.and(page.locator(":enabled")).waitFor();
      assert.equal(await content.inputValue(), "Typed text, and more");
      assert.equal((await stored("kept")).content, "Typed text");
      await button.click();
      await button.and(page.locator(":disabled:not([data-loading])")).waitFor();
      assert.equal((await stored("kept")).content, "Typed text, and more");
    });
  });

  it("keep the change of another admin to a different setting", async () => {
    await create("Shared");
    await browser.withPage({ as: await owner }, async (page) => {
      await page.goto("/commands/shared?tab=settings");
      await page.getByLabel("Description").fill("Described in this tab");
      await installation.service.api("PATCH", "/api/commands?slug=shared", { model: "set-elsewhere" });
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.locator("input[value=set-elsewhere]").waitFor();
      const { description, model } = await stored("shared");
      assert.deepEqual({ description, model }, { description: "Described in this tab", model: "set-elsewhere" });
    });
  });

  it("ask before a tab or a link discards typed text", async () => {
    await create("Long text");
    await browser.withPage({ as: await owner }, async (page) => {
      await page.goto("/commands/long-text");
      const content = page.getByRole("textbox", { name: "Content" });
      await content.fill("Typed text");
      const question = page.getByRole("dialog", { name: "Discard unsaved changes?" });
      await page.getByRole("navigation", { name: "Command" }).getByRole("link", { name: "Settings" }).click();
      await question.getByRole("button", { name: "Keep editing" }).click();
      await question.waitFor({ state: "hidden" });
      assert.equal(await content.inputValue(), "Typed text");
      await page.getByRole("link", { name: "Skills", exact: true }).click();
      await question.getByRole("button", { name: "Discard changes" }).click();
      await page.waitForURL("**/skills");
    });
  });
});
