import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import type { Browser as HttpBrowser } from "#test/browser";
import { createServer, createSyncedServer } from "#test/factories";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";
import { seriousFindings } from "./kit/axe.ts";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";

const SHELF = { type: "string", description: "Shelf to count", enum: ["a", "b"] };
const TOOLS = [
  { ...toolCalled("count_boxes"), inputSchema: { type: "object", properties: { shelf: SHELF }, required: ["shelf"] } },
  toolCalled("move_box"),
] as const;

describe("health and tools of an MCP server", () => {
  let installation: Installation;
  let upstream: RawUpstream;
  let browser: TestBrowser;
  let owner: HttpBrowser;
  before(async () => {
    upstream = await startRawUpstream({ tools: TOOLS });
    installation = await startInstallation();
    owner = await signIn(installation, "owner");
    browser = await openBrowser(installation);
    await createSyncedServer(installation.service, "Warehouse", upstream.url);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
    await upstream?.close();
  });

  it("shows the schemas, access, and last calls of a tool", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/mcp-servers/warehouse?tab=tools&tool=count_boxes");
      await dialog(page).getByText("Shelf to count").waitFor();
      await dialog(page).getByText("required").waitFor();
      await dialog(page).getByText('One of: "a", "b"').waitFor();
      await dialog(page).getByText("No output schema declared").waitFor();
      await dialog(page).getByText("No calls yet").waitFor();
      await dialog(page).getByRole("link", { name: "Manage access" }).waitFor();
      await dialog(page).getByText("JSON", { exact: true }).first().click();
      await dialog(page).getByRole("region", { name: "Input" }).getByText('"enum"').waitFor();
      assert.deepEqual(await seriousFindings(page), []);
    });
  });

  it("sets and removes the limits of a tool", async () => {
    const limitsOf = async () => {
      const { data } = (await installation.service.api("GET", "/api/mcp-servers/warehouse")).body;
      return data.all_tools[0].limits;
    };
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/mcp-servers/warehouse?tab=tools&tool=count_boxes");
      const limits = dialog(page).getByRole("region", { name: "Rate limits" });
      await limits.getByLabel("Calls per minute").fill("90");
      await limits.getByLabel("Concurrent calls").fill("3");
      await limits.getByRole("button", { name: "Save changes" }).click();
      await page.getByText("Saved", { exact: true }).waitFor();
      assert.deepEqual(await limitsOf(), { calls_per_minute: 90, concurrent_calls: 3 });
      await page.reload();
      assert.deepEqual(await seriousFindings(page), []);
      await limits.getByLabel("Calls per minute").fill("");
      await limits.getByLabel("Concurrent calls").fill("");
      await limits.getByRole("button", { name: "Save changes" }).click();
      await page.getByText("Saved", { exact: true }).waitFor();
      assert.deepEqual(await limitsOf(), { calls_per_minute: null, concurrent_calls: null });
    });
  });

  it("shows a held tool as held, and rejects its change", async () => {
    const { service } = installation;
    await service.api("PATCH", "/api/mcp-servers?slug=warehouse", { tool_policy: "hold" });
    upstream.tools = [TOOLS[0], toolCalled("move_box", "Moves a box and mails it")];
    const heldCount = async () => (await service.api("GET", "/api/mcp-servers/warehouse")).body.data.tools_held_count;
    do await service.api("POST", "/api/mcp-servers/warehouse/sync");
    while ((await heldCount()) !== 1);
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/mcp-servers/warehouse?tab=tools");
      await page.getByText("1 of 2 enabled, 1 held for review").waitFor();
      assert.equal(await page.getByLabel("move_box is enabled").count(), 0);
      await page
        .getByRole("row", { name: /move_box/ })
        .getByText("Held for review")
        .waitFor();
      assert.deepEqual(await seriousFindings(page), []);
      await page.getByRole("button", { name: "Reject move_box" }).click();
      await page.getByText("It keeps its accepted definition until the server changes it again.").waitFor();
      await page.getByText("2 of 2 enabled").waitFor();
      await page
        .getByRole("row", { name: /move_box/ })
        .getByText("Change rejected")
        .waitFor();
    });
    upstream.tools = TOOLS;
    await service.api("PATCH", "/api/mcp-servers?slug=warehouse", { tool_policy: "warn" });
  });

  it("shows the instructions of a server, their changes, and the tools that need a capability", async () => {
    const { service } = installation;
    const guided = await startRawUpstream({ eras: "modern", instructions: "Count the boxes before you move one." });
    guided.behave = ({ method, body, id }) => {
      if (method !== "tools/list") return "json";
      const asks = body.toString().includes('"elicitation"');
      const tools = [toolCalled("count_boxes"), ...(asks ? [toolCalled("ask_owner", "Asks the owner of a box")] : [])];
      const result = { resultType: "complete", tools, ttlMs: 0, cacheScope: "private" };
      return { status: 200, body: JSON.stringify({ jsonrpc: "2.0", id: Number(id), result }) };
    };
    await createSyncedServer(service, "Guided", guided.url, { tool_policy: "hold" });
    guided.instructions = "Count the boxes before you move one. Ask the owner of a box.";
    do await service.api("POST", "/api/mcp-servers/guided/sync");
    while ((await service.api("GET", "/api/mcp-servers/guided")).body.data.tools_held_count !== 1);
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/mcp-servers/guided?tab=tools");
      await page
        .getByRole("row", { name: /ask_owner/ })
        .getByText("Needs elicitation")
        .waitFor();
      await page.getByRole("article").getByText("Ask the owner of a box.").waitFor();
      assert.deepEqual(await seriousFindings(page), []);
      await page.getByRole("button", { name: "Accept instructions" }).click();
      const section = page.getByRole("region", { name: "Instructions" });
      await section.getByText("Ask the owner of a box.").waitFor();
      await section.getByLabel("Pass on to callers").click();
      await page.getByText("Instructions are hidden from callers").waitFor();
      await page.setViewportSize({ width: 375, height: 800 });
      assert.deepEqual(await seriousFindings(page), []);
      await page.goto("/mcp-servers/guided?tab=tools&tool=ask_owner");
      await dialog(page).getByText("MCP clients with elicitation").waitFor();
    });
    const { pass_instructions: isPassed } = (await service.api("GET", "/api/mcp-servers/guided")).body.data;
    assert.equal(isPassed, false);
    await service.api("DELETE", "/api/mcp-servers?slug=guided");
    await guided.close();
  });

  it("shows why a server is unreachable or fails, with the name on narrow screens", async () => {
    const { service } = installation;
    const closed = await startRawUpstream();
    await closed.close();
    await createServer(service, "Closed", closed.url);
    await service.api("POST", "/api/mcp-servers/closed/sync");
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/mcp-servers?q=closed");
      const row = page.getByRole("row", { name: /Closed/ });
      await row.getByText("Unreachable", { exact: true }).waitFor();
      await row.getByText("Connection refused", { exact: true }).waitFor();
      await page.setViewportSize({ width: 375, height: 800 });
      await row.getByText("Unreachable: Connection refused").waitFor();
      await row.getByRole("link").click();
      await page.getByText("Sync failed: Connection refused").waitFor();
      assert.deepEqual(await seriousFindings(page), []);
    });
    await service.api("DELETE", "/api/mcp-servers?slug=closed");
  });

  it("offers to connect an account for a server without tools, and shows them without a reload", async () => {
    const { service } = installation;
    const keyed = await startRawUpstream({ tools: [toolCalled("look_up")] });
    keyed.behave = ({ headers }) => ("authorization" in headers ? "json" : { status: 401 });
    await createServer(service, "Vault", keyed.url, { auth_settings: { authType: "proxy-api-key" } });
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/mcp-servers/vault?tab=tools");
      await page.getByText("It has 0 tools because").waitFor();
      await page.getByText("Your groups do not include this server").waitFor();
      const me: string = (
        await page.evaluate<{ data: { email: string } }>("fetch('/api/me').then((answer) => answer.json())")
      ).data.email;
      await service.api("POST", "/api/groups", { name: "Vault users" });
      await service.api("POST", "/api/groups/Vault%20users/users", { emails: [me] });
      await service.api("POST", "/api/groups/Vault%20users/integrations", { slugs: ["vault"] });
      await page.reload();
      await page.getByText("/connect/vault").waitFor();
      await page.getByRole("button", { name: "Connect account" }).click();
      await dialog(page).getByLabel("API key", { exact: true }).fill("secret");
      await dialog(page)
        .getByRole("button")
        .filter({ hasText: /key|keep|save/i })
        .click();
      await page.getByText("look_up").first().waitFor();
      assert.deepEqual(await seriousFindings(page), []);
    });
    await service.api("DELETE", "/api/mcp-servers?slug=vault");
    await keyed.close();
  });
});

function dialog(page: Page) {
  return page.getByRole("dialog");
}

function toolCalled(name: string, description = `Does ${name}`) {
  return { name, description, inputSchema: { type: "object" } };
}
