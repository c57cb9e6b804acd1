import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createGroup, createMachineUser, type MachineUser } from "#test/factories";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";

describe("plugins in the app", () => {
  let installation: Installation;
  let browser: TestBrowser;
  let bot: MachineUser;
  let owner: ReturnType<typeof signIn>;
  before(async () => {
    installation = await startInstallation({});
    bot = await createMachineUser(installation.service, "bot");
    await createGroup(installation.service, "Writers", { emails: [bot.email] });
    const skill = { name: "notes", description: "Notes.", content: "# Notes" };
    assert.equal((await installation.service.api("POST", "/api/skills", skill)).status, 201);
    browser = await openBrowser(installation);
    owner = signIn(installation, "owner");
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
  });

  const versions = async () => {
    const headers = { authorization: `Bearer ${bot.credential}` };
    const { body } = await installation.service.http("/plugins/marketplace.json", { headers });
    return body.plugins.map(({ name, version }: { name: string; version: string }) => `${name} ${version}`);
  };

  it("are created, shared, published twice, and members get the update", async () => {
    await browser.withPage({ as: await owner }, async (page) => {
      await page.goto("/plugins");
      await page.getByRole("button", { name: "Create plugin" }).first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("Team tools");
      await dialog.getByRole("button", { name: "Create plugin" }).click();
      await page.getByRole("heading", { name: "Team tools", exact: true }).waitFor();
      await page.getByRole("combobox", { name: "Skills" }).click();
      await page.getByRole("option", { name: "notes" }).click();
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Save skills" }).click();
      await page.getByText("Saved").first().waitFor();
      const tabs = page.getByRole("navigation", { name: "Plugin" });
      await tabs.getByRole("link", { name: "Access" }).click();
      await page.getByRole("button", { name: "Change groups" }).click();
      await page.getByRole("combobox", { name: "Groups" }).click();
      await page.getByRole("option", { name: "Writers" }).click();
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByRole("link", { name: "Writers" }).waitFor();
      await page.getByText(/^\/plugin marketplace add .*marketplace\.git$/).waitFor();
      assert.deepEqual(await versions(), []);
      await page.getByRole("button", { name: "Publish" }).click();
      await dialog
        .getByRole("list", { name: "Files of the first release" })
        .getByText("skills/notes/SKILL.md")
        .waitFor();
      await dialog.getByRole("button", { name: "Publish" }).click();
      await page.getByText("Version 1.0.0").waitFor();
      assert.deepEqual(await versions(), ["team-tools 1.0.0"]);
      assert.equal(await page.getByRole("button", { name: "Publish" }).isDisabled(), true);

      await installation.service.api("PATCH", "/api/skills?slug=notes", { content: "# Changed" });
      await page.goto("/plugins/team-tools?tab=releases");
      const unpublished = page.getByRole("list", { name: "Unpublished changes" });
      await unpublished.getByText("skills/notes/SKILL.md").waitFor();
      assert.equal(await unpublished.getByRole("listitem").count(), 1);
      await page.getByRole("button", { name: "Publish" }).click();
      await dialog.getByLabel("Minor: 1.1.0").check();
      await dialog.getByLabel("Notes").fill("Better notes");
      await dialog.getByRole("button", { name: "Publish" }).click();
      await page.getByText("Version 1.1.0").waitFor();
      await page.getByRole("link", { name: "1.1.0" }).first().click();
      await page.getByRole("list", { name: "Changes in 1.1.0" }).getByText("skills/notes/SKILL.md").waitFor();
      assert.deepEqual(await versions(), ["team-tools 1.1.0"]);

      await tabs.getByRole("link", { name: "Settings" }).click();
      await page.getByRole("button", { name: "Unpublish" }).click();
      await page.getByText("Unpublished", { exact: true }).waitFor();
      assert.deepEqual(await versions(), []);
    });
  });

  it("are fetched by members with a token that they create in their library", async () => {
    const { service } = installation;
    const member = await signIn(installation, "member", "mia@acme.example");
    await service.api("POST", "/api/groups/writers/users", { emails: ["mia@acme.example"] });
    await service.api("POST", "/api/skills", {
      name: "shared",
      description: "Shared.",
      content: "# S",
      groups: ["Writers"],
    });
    await service.api("PATCH", "/api/skills?slug=shared", { status: "active" });
    await browser.withPage({ as: member }, async (page) => {
      await page.goto("/library");
      await page.getByRole("button", { name: "Create token" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("Laptop");
      await dialog.getByRole("button", { name: "Create token" }).click();
      const token = await dialog.getByText(/^gh_lt_\w{40,}$/).textContent();
      const headers = { authorization: `Bearer ${token}` };
      assert.equal((await service.http("/plugins/marketplace.json", { headers })).status, 200);
      await dialog.getByLabel("I have stored it in a safe place").check();
      await dialog.getByRole("button", { name: "Done" }).click();
      await page.getByRole("button", { name: "Delete token Laptop" }).click();
      await page.getByText("No tokens").waitFor();
      assert.equal((await service.http("/plugins/marketplace.json", { headers })).status, 401);
    });
  });
});
