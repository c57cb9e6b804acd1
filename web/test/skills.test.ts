import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createGroup, createMachineUser, type MachineUser } from "#test/factories";
import { makeZip, SKILL_MD } from "#test/zip";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { assertFits } from "./kit/fits.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";

const READER = "reader@example.com";

describe("skills in the app", () => {
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

  const read = async (uri: string) => {
    const message = { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri } };
    return (await installation.service.mcp(bot.credential, message)).body;
  };

  it("are imported, shared, activated, and read by a client", async () => {
    await browser.withPage({ as: await owner }, async (page) => {
      await page.goto("/skills");
      await page.getByRole("button", { name: "Import skill" }).first().click();
      const dialog = page.getByRole("dialog");
      const buffer = makeZip([
        { path: "notes/SKILL.md", content: SKILL_MD },
        { path: "notes/scripts/run.sh", content: "#!/bin/sh\n" },
      ]);
      await dialog
        .locator("input[type=file]")
        .setInputFiles({ name: "notes.zip", mimeType: "application/zip", buffer });
      await dialog.getByText("notes can be imported.").waitFor();
      await dialog.getByText("is a script that is not executable").waitFor();
      await dialog.getByRole("button", { name: "Import skill" }).click();
      await page.getByRole("heading", { name: "notes", exact: true }).waitFor();
      const tabs = page.getByRole("navigation", { name: "Skill" });
      await tabs.getByRole("link", { name: "Access" }).click();
      await page.getByRole("button", { name: "Change groups" }).click();
      await page.getByRole("combobox", { name: "Groups" }).click();
      await page.getByRole("option", { name: "Writers" }).click();
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByRole("link", { name: "Writers" }).waitFor();
      assert.equal((await read("skill://notes/SKILL.md")).error.code, -32002);
      await page.getByRole("button", { name: "Activate" }).click();
      await page.getByRole("button", { name: "Set to draft" }).waitFor();
      assert.equal((await read("skill://notes/SKILL.md")).result.contents[0].text, SKILL_MD);
      await tabs.getByRole("link", { name: "Instructions" }).click();
      const editor = page.getByRole("textbox", { name: "Instructions in Markdown" });
      await editor.fill("# Better notes\n");
      await page.getByRole("button", { name: "Save changes" }).click();
      await tabs.getByRole("link", { name: "Versions 2" }).waitFor();
      await tabs.getByRole("link", { name: /^Files/ }).click();
      await page.getByLabel("Path of the new file").fill("references/style.md");
      await page.getByRole("button", { name: "Add file" }).click();
      await page.getByLabel("Content of references/style.md").fill("Short sentences.\n");
      await page.getByRole("button", { name: "Save changes" }).click();
      await tabs.getByRole("link", { name: "Versions 3" }).click();
      await page.getByRole("link", { name: /^Version 1/ }).click();
      await page.getByRole("heading", { name: "Changes from version 1 to 3" }).waitFor();
      await page.getByText("+ # Better notes").waitFor();
      await page.getByRole("button", { name: "Restore this version" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Restore version" }).click();
      await tabs.getByRole("link", { name: "Versions 4" }).waitFor();
      assert.equal((await read("skill://notes/SKILL.md")).result.contents[0].text, SKILL_MD);
    });
  });

  it("keep typed text when their status changes, ask before it is discarded, and note changes elsewhere", async () => {
    const text = (body: string) => `---\nname: draft\ndescription: Writes drafts\n---\n${body}\n`;
    const answer = await installation.service.api("POST", "/api/skills/import", { skill_md: text("Stored") });
    assert.equal(answer.status, 201, answer.text);
    await browser.withPage({ as: await owner }, async (page) => {
      await page.goto("/skills/draft");
      const tabs = page.getByRole("navigation", { name: "Skill" });
      const question = page.getByRole("dialog", { name: "Discard unsaved changes?" });
      const editor = page.getByRole("textbox", { name: "Instructions in Markdown" });
      await editor.fill("Typed");
      await installation.service.api("PATCH", "/api/skills?slug=draft", { content: "Changed elsewhere" });
      await page.getByRole("button", { name: "Activate" }).click();
      await page.getByText("This was changed elsewhere while you edited it.").waitFor();
      assert.equal(await editor.inputValue(), "Typed");
      await tabs.getByRole("link", { name: /^Files/ }).click();
      await question.getByRole("button", { name: "Keep editing" }).click();
      await question.waitFor({ state: "hidden" });
      assert.equal(await editor.inputValue(), "Typed");
      await page.getByRole("button", { name: "Discard edits and reload" }).click();
      await page.getByText("Unsaved changes").waitFor({ state: "detached" });
      assert.equal((await editor.inputValue()).trim(), "Changed elsewhere");
      await tabs.getByRole("link", { name: /^Files/ }).click();
      for (const path of ["one.md", "two.md"]) {
        await page.getByLabel("Path of the new file").fill(path);
        await page.getByRole("button", { name: "Add file" }).click();
        await page.getByLabel(`Content of ${path}`).fill(`Typed in ${path}`);
      }
      await page.getByRole("button", { name: "one.md", exact: true }).click();
      assert.equal(await page.getByLabel("Content of one.md").inputValue(), "Typed in one.md");
      await tabs.getByRole("link", { name: "Settings" }).click();
      await question.getByRole("button", { name: "Keep editing" }).click();
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByText("Unsaved changes").waitFor({ state: "detached" });
      assert.equal(await page.getByLabel("Content of one.md").inputValue(), "Typed in one.md");
      await tabs.getByRole("link", { name: "Settings" }).click();
      await page.getByLabel("License").waitFor();
    });
  });

  it("that are pasted show what is wrong before they are imported", async () => {
    await browser.withPage({ as: await owner }, async (page) => {
      await page.goto("/skills?add=import");
      const dialog = page.getByRole("dialog");
      await dialog.getByText("Paste SKILL.md").click();
      await dialog.getByRole("textbox", { name: "SKILL.md" }).fill("---\nname: Not Valid\n---\n");
      await dialog.getByText("must be 1-64 lowercase letters").waitFor();
      assert.equal(await dialog.getByRole("button", { name: "Import skill" }).isDisabled(), true);
    });
  });

  it("have an install button on a phone, and a description of any length next to it", async () => {
    const { service } = installation;
    const skill = { name: "long-text", description: `Notes about ${"releases ".repeat(20)}`, content: "# Text" };
    assert.equal((await service.api("POST", "/api/skills", skill)).status, 201);
    await service.api("PATCH", "/api/skills?slug=long-text", { status: "active" });
    const reader = await signIn(installation, "member", READER);
    await createGroup(service, "Readers", { emails: [READER] });
    await service.api("POST", "/api/groups/Readers/skills", { slugs: ["long-text"] });
    await browser.withPage({ as: reader }, async (page) => {
      await page.goto("/library");
      const install = page.getByRole("button", { name: "Install long-text" });
      const width = async () => (await install.boundingBox())?.width ?? 0;
      const complete = await width();
      await assertFits(page, 375, "/library");
      assert.ok((await width()) >= complete, "the label is not cut");
    });
  });
});
