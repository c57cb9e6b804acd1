import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createGroup, createSyncedServer } from "#test/factories";
import { publishGuards } from "#test/guard-records";
import { startManagedAgentsStub } from "#test/managed-agents-stub";
import type { DefaultProvider } from "#test/model-provider";
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

  it("are created with a script, tested next to the editor, and continue after an approval", async () => {
    const { service, database } = installation;
    await publishGuards(service, database.databases, [GUARD]);
    await browser.withPage({ as: await owner }, async (page) => {
      await page.goto("/agents?add=agent");
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("Tester");
      await dialog.getByLabel("Instructions").fill("Test things.");
      await dialog.getByRole("combobox", { name: "Provider" }).click();
      await page.getByRole("option", { name: "Script, for tests and demos" }).click();
      await dialog.getByLabel("Model").fill("scripted");
      const line = { tool: "tracker__find", arguments: { transfer: 7 } };
      await dialog.getByLabel("Script").fill(JSON.stringify([line, { text: "Sent **seven**" }]));
      await dialog.getByRole("button", { name: "Create agent" }).click();
      const panel = page.getByRole("complementary", { name: "Test run" });
      await panel.getByText("Activate the agent to run it.").waitFor();
      const { body } = await service.api("GET", "/api/background-agents/tester");
      await createGroup(service, "Testers", { slugs: ["tracker"], emails: [body.data.identity] });
      await page.getByRole("button", { name: "Activate" }).click();
      await page.getByLabel("Instructions").fill("Test things twice.");
      await panel.getByText("Unsaved changes are not part of the run: General.").waitFor();
      await panel.getByLabel("Test input").fill("Send 7");
      await page.getByLabel("Steps").fill("9");
      await page.getByRole("button", { name: "Save changes" }).first().click();
      await panel.getByText("Unsaved changes are not part of the run: Limits.").waitFor();
      assert.equal(await page.getByLabel("Steps").inputValue(), "9", "another section keeps its changes");
      await panel.getByRole("button", { name: "Run test" }).click();
      await panel.getByText("Waiting for approval").waitFor();
      await panel.getByRole("link", { name: "Review call" }).click();
      await page.getByRole("button", { name: "Approve" }).click();
      await page.goBack();
      const transcript = panel.getByRole("list", { name: "Transcript" });
      await transcript.getByText("seven", { exact: true }).waitFor();
      await panel.getByText("Completed").waitFor();
      await transcript.getByText("Send 7").waitFor();
      await transcript.getByText("tracker__find").first().waitFor();
      await transcript.getByRole("link", { name: /^Approval after/ }).waitFor();
      await panel.getByRole("link", { name: "Open session" }).click();
      // The page before has a field with the same label.
      const followUp = page.getByRole("button", { name: "Send follow-up" });
      await followUp.waitFor();
      await page.getByLabel("Input").fill("And again");
      await followUp.click();
      await page.getByRole("link", { name: "Previous session" }).waitFor();
      const saved = await service.api("GET", "/api/background-agents/tester");
      assert.equal(saved.body.data.instructions, "Test things twice.");
      assert.equal(saved.body.data.limits.max_steps, 25);
    });
  });

  it("are created on every platform, with the fields that it needs, and are edited there", async () => {
    const { service } = installation;
    await browser.withPage({ as: await owner }, async (page, findings) => {
      findings.allowStatus(400);
      const dialog = page.getByRole("dialog");
      const start = async (name: string, platform: string) => {
        await page.goto("/agents?add=agent");
        await dialog.getByLabel("Name").fill(name);
        await dialog.getByLabel("Instructions").fill("Work.");
        await dialog.getByRole("radio", { name: platform }).check();
        await dialog.getByLabel("Model").fill("claude-sonnet-4-5");
      };
      const create = () => dialog.getByRole("button", { name: "Create agent" }).click();
      await start("Runner", "Your own runner");
      await create();
      await dialog.getByText("Enter the URL of the runner").waitFor();
      await dialog.getByLabel("Runner URL").fill("not a URL");
      await dialog.getByLabel("Secret").fill("short");
      await create();
      await dialog.getByText("must be", { exact: false }).first().waitFor();
      await dialog.getByLabel("Runner URL").fill("http://127.0.0.1:9999/run");
      await create();
      await dialog.getByText("must have at least 16 characters").waitFor();
      await dialog.getByRole("button", { name: "Generate" }).click();
      await create();
      await page.waitForURL(/\/agents\/runner/);
      await page.getByText("A secret is stored. Leave empty to keep it").waitFor();
      await start("Managed", "Claude Managed Agents");
      await create();
      await dialog.getByText("Enter the API key").waitFor();
      await dialog.getByLabel("API key").fill("not-a-key");
      await dialog.getByLabel("Environment ID").fill("env_1");
      await create();
      await page.waitForURL(/\/agents\/managed/);
      await page.getByText("Never synced").waitFor();
      await page.getByLabel("Environment ID").fill("env_2");
      await page.getByRole("button", { name: "Save changes" }).nth(2).click();
      await page.getByText("Saved", { exact: true }).first().waitFor();
      const managed = await service.api("GET", "/api/background-agents/managed");
      assert.deepEqual(managed.body.data.platform_config, {
        ...{ url: null, base_url: null, environment_id: "env_2", vault_ids: [], has_api_key: true, has_secret: false },
      });
      const runner = await service.api("GET", "/api/background-agents/runner");
      assert.equal(runner.body.data.platform, "webhook");
      assert.equal(runner.body.data.platform_config.has_secret, true);
    });
  });

  it("that exist only on the platform are imported, and imported once", async () => {
    const stub = await startManagedAgentsStub();
    const remote = { name: "Release notes", description: "", system: "Write notes.", model: { id: "claude" } };
    stub.agents.set("agent_9", { ...remote, id: "agent_9", version: 1, archived_at: null, mcp_servers: [] });
    await browser.withPage({ as: await owner }, async (page, findings) => {
      findings.allowStatus(400);
      await page.goto("/agents");
      await page.getByRole("button", { name: "Import agents" }).click();
      const dialog = page.getByRole("dialog");
      const submit = () => dialog.getByRole("button", { name: "Import agents" }).click();
      await submit();
      await dialog.getByText("Enter the API key").waitFor();
      await dialog.getByLabel("API key").fill("not-a-key");
      await dialog.getByLabel("Environment ID").fill("env_1");
      await dialog.getByLabel("URL", { exact: true }).fill(stub.url);
      stub.failWith = 401;
      await submit();
      await dialog.getByText("The stub fails").waitFor();
      stub.failWith = undefined;
      await submit();
      await dialog.getByText("1 agent imported").waitFor();
      await dialog.getByRole("link", { name: "Release notes" }).click();
      await page.waitForURL(/\/agents\/release-notes/);
      await page.getByText("Synced", { exact: true }).waitFor();
      await page.getByRole("link", { name: "Import other agents" }).click();
      await dialog.getByLabel("API key").fill("not-a-key");
      await dialog.getByLabel("URL", { exact: true }).fill(stub.url);
      await submit();
      await dialog.getByText("No agents to import").waitFor();
    });
    const { body } = await installation.service.api("GET", "/api/background-agents/release-notes");
    assert.deepEqual([body.data.status, body.data.instructions], ["paused", "Write notes."]);
    await stub.close();
  });

  it("are created, activated, run, and read as a transcript", async () => {
    upstream.seen.length = 0;
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

  it("keep a typed schedule while the inbound webhook is enabled", async () => {
    await browser.withPage({ as: await owner }, async (page) => {
      await page.goto("/agents/finder?tab=triggers");
      await page.getByLabel("Cron expression").fill("0 9 * * 1-5");
      await page.getByLabel("Input").fill("Find what is new");
      await page.getByRole("button", { name: "Enable webhook" }).click();
      await page.getByRole("dialog").getByRole("checkbox").check();
      await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();
      await page.getByRole("button", { name: "Disable webhook" }).waitFor();
      assert.equal(await page.getByLabel("Cron expression").inputValue(), "0 9 * * 1-5");
      await page.getByRole("button", { name: "Save changes" }).first().click();
      await page.getByText("Next run").waitFor();
      assert.equal(await page.getByLabel("Input").inputValue(), "Find what is new");
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
      const review = page.getByRole("link", { name: "Review call" }).first();
      await review.waitFor();
      await page.getByText("Waiting for approval").waitFor();
      assert.equal(calls(), 0);
      await review.click();
      await page.getByRole("button", { name: "Approve" }).click();
      await page.goBack();
      const transcript = page.getByRole("list", { name: "Transcript" });
      await transcript.getByText("12", { exact: true }).first().waitFor();
      await page.getByText("Completed").waitFor();
      await transcript.getByRole("link", { name: /^Approval after/ }).waitFor();
      assert.equal(calls(), 1);
    });
  });
});

describe("agents in an installation with a default provider", () => {
  const defaultProvider: DefaultProvider = {
    type: "openai-compatible",
    model: "gpt-oss-120b",
    baseUrl: "http://127.0.0.1:9/v1",
    apiKey: "not-a-key",
  };
  let installation: Installation;
  let browser: TestBrowser;
  before(async () => {
    installation = await startInstallation({ defaultProvider });
    browser = await openBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
  });

  it("are created with it, show what it is, and can get a different provider", async () => {
    const { service } = installation;
    const stored = async () => (await service.api("GET", "/api/background-agents/plain")).body.data;
    await browser.withPage({ as: await signIn(installation, "owner") }, async (page) => {
      await page.goto("/agents?add=agent");
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").and(page.locator(":focus")).waitFor();
      await dialog.getByLabel("Name").fill("Plain");
      await dialog.getByLabel("Instructions").fill("Work.");
      const provider = dialog.getByRole("combobox", { name: "Provider" });
      assert.equal(await provider.inputValue(), "Default of this installation");
      await dialog.getByText("at http://127.0.0.1:9/v1, model gpt-oss-120b", { exact: false }).waitFor();
      assert.equal(await dialog.getByLabel("API key").count(), 0);
      await dialog.getByRole("button", { name: "Create agent" }).click();
      await page.waitForURL(/\/agents\/plain/);
      await dialog.waitFor({ state: "hidden" });
      await page.getByText("at http://127.0.0.1:9/v1, model gpt-oss-120b", { exact: false }).waitFor();
      const { provider: own, model, resolved_provider: resolved } = await stored();
      assert.deepEqual([own, model, resolved.source, resolved.model], [null, null, "installation", "gpt-oss-120b"]);
      const section = page.getByRole("region", { name: "Model" });
      await section.getByRole("combobox", { name: "Provider" }).click();
      await page.getByRole("option", { name: "Anthropic" }).click();
      await section.getByRole("textbox", { name: "Model" }).fill("claude-sonnet-4-5");
      await section.getByLabel("API key").fill("not-a-key");
      await section.getByRole("button", { name: "Save changes" }).click();
      await section.getByText("A key is stored. Leave empty to keep it").waitFor();
      assert.equal((await stored()).resolved_provider.source, "agent");
    });
  });
});
