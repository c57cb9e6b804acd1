import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createGroup, createSyncedServer } from "#test/factories";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";

describe("agents in the app", () => {
  let installation: Installation;
  let browser: TestBrowser;
  let upstream: RawUpstream;
  let owner: ReturnType<typeof signIn>;
  before(async () => {
    installation = await startInstallation({});
    upstream = await startRawUpstream({ tools: [{ name: "find", inputSchema: {} }] });
    await createSyncedServer(installation.service, "Tracker", upstream.url);
    browser = await openBrowser(installation);
    owner = signIn(installation, "owner");
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
    await upstream?.close();
  });

  it("are created, activated, run, and read as a transcript", async () => {
    await browser.withPage({ as: await owner }, async (page) => {
      await page.goto("/agents");
      await page.getByRole("button", { name: "Create agent" }).first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("Finder");
      await dialog.getByLabel("Instructions").fill("Find things.");
      await dialog.getByRole("combobox", { name: "Provider" }).click();
      await page.getByRole("option", { name: "Script, for tests and demos" }).click();
      await dialog.getByLabel("Model").fill("scripted");
      await dialog.getByRole("button", { name: "Create agent" }).click();
      await page.getByRole("heading", { name: "Finder", exact: true }).waitFor();
      const script = [{ tool: "tracker__find", arguments: { q: "x" } }, { text: "Here it is" }];
      const { service } = installation;
      const provider = { type: "scripted", script };
      const saved = await service.api("PATCH", "/api/background-agents?slug=finder", { provider });
      assert.equal(saved.status, 200, saved.text);
      await createGroup(service, "Agents", { slugs: ["tracker"], emails: [saved.body.data.identity] });
      await page.getByRole("button", { name: "Activate" }).click();
      await page.getByRole("button", { name: "Pause" }).waitFor();
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByRole("dialog").getByLabel("Input").fill("Find x");
      await page.getByRole("dialog").getByRole("button", { name: "Run" }).click();
      await page.waitForURL(/\/agents\/finder\/sessions\/ses_/);
      const transcript = page.getByRole("list", { name: "Transcript" });
      await transcript.getByText("Here it is").waitFor();
      await transcript.getByText("tracker__find").first().waitFor();
      await page.getByText("Completed").waitFor();
      assert.equal(upstream.seen.filter(({ method }) => method === "tools/call").length, 1);
      await page.getByRole("link", { name: "finder" }).click();
      await page.getByRole("row", { name: /Find x/ }).waitFor();
    });
  });
});
