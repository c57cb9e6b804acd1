import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createGroup, createSyncedServer } from "#test/factories";
import { publishGuards } from "#test/guard-records";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";

const MONEY = { type: "keyword", name: "Money", config: { words: ["transfer"] } };
const GUARD = { slug: "money", name: "Payments", message: "Ask finance.", action: "require_approval", checks: [MONEY] };

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

  it("show a held call, continue after its approval, and are found by the search", async () => {
    const { service, database } = installation;
    await publishGuards(service, database.databases, [GUARD]);
    const script = [{ tool: "tracker__find", arguments: { transfer: 12 } }, { text: "Paid **12**" }];
    const provider = { type: "scripted", script };
    const payer = { name: "Payer", instructions: "Pay.", model: "scripted", provider, status: "active" };
    const created = await service.api("POST", "/api/background-agents", payer);
    assert.equal(created.status, 201, created.text);
    await createGroup(service, "Payers", { slugs: ["tracker"], emails: [created.body.data.identity] });
    upstream.seen.length = 0;
    const calls = () => upstream.seen.filter(({ method }) => method === "tools/call").length;
    await browser.withPage({ as: await owner }, async (page) => {
      await page.goto("/");
      await page.getByRole("button", { name: "Search" }).click();
      await page.getByRole("combobox").fill("payer");
      await page.getByRole("option", { name: /^Payer\s*payer$/ }).click();
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByRole("dialog").getByLabel("Input").fill("Pay 12");
      await page.getByRole("dialog").getByRole("button", { name: "Run" }).click();
      await page.getByText("Waiting for approval").waitFor();
      assert.equal(calls(), 0);
      await page.getByRole("link", { name: "Review call" }).first().click();
      await page.getByRole("button", { name: "Approve" }).click();
      await page.goBack();
      const transcript = page.getByRole("list", { name: "Transcript" });
      await transcript.getByText("12", { exact: true }).first().waitFor();
      await page.getByText("Completed").waitFor();
      await transcript.getByRole("link", { name: "Approval" }).waitFor();
      assert.equal(calls(), 1);
    });
  });
});
