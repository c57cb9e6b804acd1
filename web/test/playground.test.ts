import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { z } from "zod";
import type { Browser as HttpBrowser } from "#test/browser";
import { createGroup, createServer, createSyncedServer } from "#test/factories";
import { addAskingTools } from "#test/upstreams/asking-tools";
import { type EchoUpstream, startEchoUpstream } from "#test/upstreams/echo";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";
import { seriousFindings } from "./kit/axe.ts";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";

const HOSTILE = '<img src=x onerror="window.__xss=1">';

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("the playground", () => {
  let installation: Installation;
  let upstream: EchoUpstream;
  let asking: EchoUpstream;
  let faulty: RawUpstream;
  let owner: HttpBrowser;
  let browser: TestBrowser;
  let member: HttpBrowser;
  const upstreamCanceled = Promise.withResolvers<void>();
  before(async () => {
    installation = await startInstallation();
    const { service } = installation;
    member = await signIn(installation, "member");
    owner = await signIn(installation, "owner", "owner@example.com");
    faulty = await startRawUpstream({
      tools: ["crash", "draw"].map((name) => ({ name, inputSchema: { type: "object" } })),
      behave: ({ tool, id }) => (tool === undefined ? "json" : { status: 200, body: faultyAnswer(tool, id ?? "null") }),
    });
    upstream = await startEchoUpstream({
      extend: (server) => {
        const inputSchema = z.object({
          title: z.string().min(3).describe(HOSTILE),
          priority: z.enum(["low", "high"]).default("low"),
          labels: z.array(z.string()).optional(),
        });
        const outputSchema = z.object({ title: z.string(), count: z.number() });
        server.registerTool("file", { title: HOSTILE, inputSchema, outputSchema }, async ({ title, labels }) => ({
          content: [{ type: "text", text: `${HOSTILE} ${title}` }],
          structuredContent: { title, count: labels?.length ?? 0 },
        }));
        server.registerTool("wait", { inputSchema: z.object({}) }, async (_given, { mcpReq }) => {
          mcpReq.signal.addEventListener("abort", () => upstreamCanceled.resolve(), { once: true });
          await upstreamCanceled.promise;
          return { content: [] };
        });
      },
    });
    const slug = await createSyncedServer(service, "Echo", upstream.url);
    asking = await startEchoUpstream({ eras: "legacy", sessionful: true, extend: addAskingTools });
    const curious = await createSyncedServer(service, "Curious", asking.url);
    const keyed = await createServer(service, "Keyed", upstream.url, { auth_settings: { authType: "proxy-api-key" } });
    const broken = await createSyncedServer(service, "Faulty", faulty.url);
    await createGroup(service, "All", { slugs: [slug, keyed, curious, broken], emails: ["member@example.com"] });
    browser = await openBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
    await upstream?.close();
    await asking?.close();
    await faulty?.close();
  });

  it("builds a form, validates the arguments, calls the tool as the user, and validates the result", async () => {
    await browser.withPage({ as: member }, async (page) => {
      await page.goto("/playground");
      await page.getByRole("link", { name: /^file/ }).click();
      const run = page.getByRole("button", { name: "Run", exact: true });
      await run.click();
      await page.getByText("Required").waitFor();
      await page.getByRole("textbox", { name: "title" }).fill("Broken door");
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await page.getByRole("textbox", { name: "labels 1" }).fill("house");
      await run.click();
      const result = page.getByRole("region", { name: "Result" });
      await result.getByText(`${HOSTILE} Broken door`).waitFor();
      await result.getByText("The result matches the tool's output schema.").waitFor();
      await result.getByText('"count"').waitFor();
      assert.equal(await page.evaluate("window.__xss"), undefined);
      const kept = JSON.stringify(await page.evaluate("[{ ...localStorage }, { ...sessionStorage }, document.cookie]"));
      assert.doesNotMatch(kept, /gh_ap_/, "the token is not stored (WEB-8)");
    });
    const { body } = await installation.service.api("GET", "/api/logs?tool=file");
    const [{ user_email: email, via, outcome }] = body.data;
    assert.deepEqual([email, via, outcome], ["member@example.com", "app", "ok"]);
  });

  it("fills in the arguments of a link without running the tool", async () => {
    const before = upstream.executions();
    await browser.withPage({ as: member }, async (page) => {
      const given = Buffer.from(JSON.stringify({ text: "from a link" })).toString("base64url");
      await page.goto(`/playground?tool=echo__echo#arguments=${given}`);
      await page.getByText("These arguments come from a link").waitFor();
      await page.getByText("JSON", { exact: true }).click();
      const json = page.getByRole("textbox", { name: "Arguments as JSON" });
      assert.deepEqual(JSON.parse(await json.inputValue()), { text: "from a link" });
      assert.equal(upstream.executions(), before);
      await json.fill('{"text": ');
      await page.getByRole("button", { name: "Run", exact: true }).click();
      assert.equal(upstream.executions(), before, "invalid JSON is not sent");
      await json.fill('{"text": "changed"}');
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByRole("region", { name: "Result" }).getByText('{"text":"changed"}').waitFor();
      await page.getByRole("region", { name: "Recent runs" }).getByText("echo__echo").click();
      await page.getByRole("region", { name: "Result" }).waitFor();
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByRole("region", { name: "Recent runs" }).getByRole("button").nth(1).waitFor();
      await page.getByRole("region", { name: "Result" }).getByText('{"text":"changed"}').waitFor();
    });
  });

  it("answers or declines a question of the server during a call", async () => {
    await browser.withPage({ as: member }, async (page) => {
      await page.goto("/playground?tool=curious__ask");
      const run = page.getByRole("button", { name: "Run", exact: true });
      const question = page.getByRole("region", { name: "Question" });
      const result = page.getByRole("region", { name: "Result" });
      await run.click();
      await question.getByRole("button", { name: "Send answer" }).click();
      await question.getByText("Required").waitFor();
      await question.getByRole("textbox", { name: "name" }).fill(HOSTILE);
      await question.getByRole("button", { name: "Send answer" }).click();
      await result.getByText('"action":"accept"').waitFor();
      assert.equal(await page.evaluate("window.__xss"), undefined);
      await run.click();
      await question.getByRole("button", { name: "Decline" }).click();
      await result.getByText('{"action":"decline"}').waitFor();
    });
  });

  it("shows the message of a server error, and an image at its natural size", async () => {
    await browser.withPage({ as: member, height: 860 }, async (page) => {
      await page.goto("/playground?tool=faulty__crash");
      const result = page.getByRole("region", { name: "Result" });
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await result.getByText("Server error", { exact: true }).waitFor();
      await result.getByText("Quota exceeded").waitFor();
      await page.goto("/playground?tool=faulty__draw");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      const image = result.getByRole("img", { name: "Tool result" });
      await image.waitFor();
      const { width = 0, y = 0 } = (await image.boundingBox()) ?? {};
      assert.ok(width <= 4, `${width} px wide`);
      assert.ok(y > 0 && y < 860, "visible without scrolling");
    });
    const { body } = await installation.service.api("GET", "/api/logs?tool=crash");
    assert.deepEqual([body.data[0].outcome, body.data[0].error], ["error", "Quota exceeded (-32603)"]);
  });

  it("explains why a tool is unavailable, and offers the fix", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/playground?tool=echo__echo");
      await page.getByText("None of your groups includes this server").waitFor();
      assert.deepEqual(await seriousFindings(page), []);
      await page.getByRole("button", { name: "Add me to All" }).click();
      await page.getByRole("button", { name: "Run", exact: true }).waitFor();
      await page.goto("/playground?tool=keyed__anything");
      await page
        .getByRole("link", { name: "Sync tools" })
        .or(page.getByRole("link", { name: /server's tools/ }))
        .waitFor();
    });
    await browser.withPage({ as: member }, async (page) => {
      await page.goto("/playground?tool=keyed__anything");
      await page.getByRole("link", { name: "Connect account" }).waitFor();
      await page.goto("/playground?tool=nothing__here");
      await page.getByText("You do not have access to this tool").waitFor();
    });
  });

  it("cancels a call at the MCP server too", async () => {
    await browser.withPage({ as: member }, async (page) => {
      await page.goto("/playground?tool=echo__wait");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByRole("region", { name: "Running" }).waitFor();
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.getByText("Canceled. The MCP server was notified").waitFor();
    });
    await upstreamCanceled.promise;
  });

  for (const theme of ["light", "dark"] as const) {
    it(`is accessible in the ${theme} theme on a small screen`, async () => {
      await browser.withPage({ as: member, theme, width: 375 }, async (page) => {
        await page.goto("/playground");
        await page.getByRole("link", { name: /^file/ }).click();
        await page.getByRole("button", { name: "Run", exact: true }).click();
        await page.getByText("Required").waitFor();
        assert.deepEqual(await seriousFindings(page), []);
        assert.ok(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "no horizontal scrolling");
        await page.getByRole("button", { name: "All tools" }).click();
        await page.getByRole("link", { name: /^file/ }).waitFor();
        assert.deepEqual(await seriousFindings(page), []);
      });
    });
  }
});

/** `id` is JSON text. */
function faultyAnswer(tool: string, id: string): string {
  const answer =
    tool === "crash"
      ? { error: { code: -32603, message: "Quota exceeded" } }
      : { result: { content: [{ type: "image", data: PIXEL, mimeType: "image/png" }] } };
  return `{"jsonrpc":"2.0","id":${id},${JSON.stringify(answer).slice(1)}`;
}
