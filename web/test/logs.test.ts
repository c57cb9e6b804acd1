import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser as HttpBrowser } from "#test/browser";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { storeCalls } from "#test/many-calls";
import { type EchoUpstream, startEchoUpstream } from "#test/upstreams/echo";
import { seriousFindings } from "./kit/axe.ts";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";

const HOSTILE = '<img src=x onerror="window.__xss=1">';

describe("the logs page", () => {
  let installation: Installation;
  let upstream: EchoUpstream;
  let browser: TestBrowser;
  let owner: HttpBrowser;
  let bot: MachineUser;
  before(async () => {
    installation = await startInstallation();
    const { service } = installation;
    owner = await signIn(installation, "owner");
    upstream = await startEchoUpstream({ tools: ["echo", "later"] });
    await service.api("PATCH", "/api/settings", { payload_capture: "full" });
    const slug = await createSyncedServer(service, "Echo", upstream.url);
    bot = await createMachineUser(service, "Bot");
    await createGroup(service, "All", { slugs: [slug], emails: [bot.email] });
    browser = await openBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
    await upstream?.close();
  });
  const call = (name: string, given: object) =>
    installation.service.mcp(bot.credential, {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: given },
    });

  it("filters by URL, opens a call in a panel, and shows its payload on request", async () => {
    await call("echo__echo", { text: HOSTILE });
    await call("echo__fail", {});
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/logs?outcome=tool_error");
      const rows = page.getByRole("table", { name: "Calls" }).locator("tbody tr");
      await rows.filter({ hasText: "fail" }).waitFor();
      assert.equal(await rows.count(), 1);
      await page.getByRole("button", { name: "Clear", exact: true }).click();
      await rows.filter({ hasText: "echo / echo" }).getByRole("button").click();
      await page.getByRole("button", { name: "Show request and response" }).click();
      await page.getByLabel("request", { exact: true }).getByText("onerror").waitFor();
      const replay = await page.getByRole("link", { name: "Replay in playground" }).getAttribute("href");
      assert.match(replay ?? "", /^\/playground\?tool=echo__echo#arguments=/);
      assert.match(page.url(), /call=\d/);
      assert.equal(await page.evaluate("window.__xss"), undefined);
      await page.keyboard.press("Escape");
      await page.waitForURL((url) => !url.search.includes("call="));
    });
    const audit = await installation.service.api("GET", "/api/audit?operation=getLog");
    assert.equal(audit.body.data.length, 1, "the access is in the audit log");
  });

  it("shows new calls in live mode", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/logs?live=on&tool=later");
      await page.getByText("No matching calls").waitFor();
      await call("echo__later", {});
      await page.getByRole("table", { name: "Calls" }).getByText("later").waitFor();
    });
  });

  it("counts new calls in live mode, and hides list requests by default", async () => {
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    await call("echo__echo", {});
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto(`/logs?live=on&user=${encodeURIComponent(bot.email)}`);
      const rows = page.getByRole("table", { name: "Calls" }).locator("tbody tr");
      await rows.locator("time").first().waitFor();
      const counter = page.locator(".gh-numbers > div").filter({ hasText: "Calls" }).locator("dd");
      const before = await rows.count();
      await counter.filter({ hasText: new RegExp(`^${before}$`) }).waitFor();
      await installation.service.mcp(bot.credential, list);
      await call("echo__echo", {});
      await counter.filter({ hasText: new RegExp(`^${before + 1}$`) }).waitFor();
      await rows.nth(before).waitFor();
      assert.equal(await rows.count(), before + 1);
      assert.equal(await rows.filter({ hasText: "tools/list" }).count(), 0);
      await page.getByRole("switch", { name: "Show list requests" }).press("Space");
      await page.waitForURL(/lists=shown/);
      await rows.filter({ hasText: "tools/list" }).first().waitFor();
      const { height } = (await rows.nth(1).boundingBox()) ?? { height: 0 };
      assert.ok(height <= 34, `rows of ${height} px`);
    });
  });

  it("sorts a long call below the calls that started later", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/logs?live=on&server=echo");
      const rows = page.getByRole("table", { name: "Calls" }).locator("tbody tr");
      await rows.first().waitFor();
      const { databases } = installation.database;
      const at = Date.now() - 3_600_000;
      await storeCalls(databases.calls, [{ tool: "an_hour_long", at, durationUs: 3_600_000_000, serverSlug: "echo" }]);
      await rows.filter({ hasText: "an_hour_long" }).waitFor();
      assert.match(await rows.last().innerText(), /an_hour_long/);
    });
  });

  it("groups errors, opens the calls of a group, and saves them as a view", async () => {
    for (let n = 0; n < 2; n++) await call("echo__nothing_like_it", {});
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/logs");
      const failed = page.getByRole("region", { name: "Errors" });
      assert.equal(await failed.getByRole("list").count(), 0, "collapsed");
      await failed.getByRole("button", { name: /^\d+ errors in \d+ groups?$/ }).click();
      await failed.getByRole("button", { name: /^2 × Unknown tool/ }).click();
      await page.waitForURL(/outcome=denied&error=Unknown/);
      const rows = page.getByRole("table", { name: "Calls" }).locator("tbody tr");
      // The previous rows stay until the new ones arrive.
      await rows.nth(2).waitFor({ state: "detached" });
      assert.equal(await rows.count(), 2);
      await page.getByRole("button", { name: "Views" }).click();
      await page.getByRole("textbox", { name: "Save current view as" }).fill("Strays");
      await page.getByRole("button", { name: "Save view" }).click();
      await page.getByRole("button", { name: /^Remove filter Unknown tool/ }).click();
      await page.waitForURL((url) => !url.search.includes("error="));
      await page.getByRole("button", { name: "Views" }).click();
      await page.getByRole("menuitem", { name: "Strays" }).click();
      await page.waitForURL(/error=Unknown/);
    });
  });

  it("keeps every digit of a payload, also when it is replayed in the playground", async () => {
    const digits = "9007199254740993";
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo__echo","arguments":{"n":${digits}}}}`;
    const { headers } = await installation.service.http("/mcp", {
      method: "POST",
      headers: { authorization: `Bearer ${bot.credential}`, "content-type": "application/json" },
      body,
    });
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto(`/logs?request_id=${headers["x-request-id"]}`);
      await page.getByRole("table", { name: "Calls" }).getByRole("button").click();
      await page.getByRole("button", { name: "Show request and response" }).click();
      await page.getByLabel("request", { exact: true }).getByText(digits).waitFor();
      const href = await page.getByRole("link", { name: "Replay in playground" }).getAttribute("href");
      const [, given = ""] = /#arguments=(.+)$/.exec(href ?? "") ?? [];
      assert.equal(Buffer.from(given, "base64url").toString(), `{"n":${digits}}`);
    });
  });

  it("exports the calls that match the filters", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/logs?tool=echo");
      await page.getByRole("button", { name: "Export" }).click();
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("menuitem", { name: /NDJSON/ }).click(),
      ]);
      assert.match(file.suggestedFilename(), /^gatehouse-logs-.+\.ndjson$/);
    });
  });

  it("selects a time span on the chart, and returns from it", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/logs");
      const chart = page.locator(".gh-histogram .u-over");
      await chart.waitFor();
      const { x, y, width } = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0 };
      await page.mouse.move(x + width * 0.2, y + 20);
      await page.mouse.down();
      await page.mouse.move(x + width * 0.4, y + 20, { steps: 4 });
      await page.mouse.up();
      await page.waitForURL(/from=.+to=/);
      await page.getByText("No calls in this time range").waitFor();
      await page.goBack();
      await page.getByRole("table", { name: "Calls" }).locator("tbody time").first().waitFor();
    });
  });

  for (const theme of ["light", "dark"] as const) {
    it(`is accessible in the ${theme} theme on a small screen`, async () => {
      await browser.withPage({ as: owner, theme, width: 375 }, async (page) => {
        await page.goto("/logs");
        await page.getByRole("table", { name: "Calls" }).locator("tbody time").first().waitFor();
        await page.locator(".gh-histogram canvas").waitFor();
        assert.deepEqual(await seriousFindings(page), []);
        assert.ok(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "no horizontal scrolling");
        await page.getByRole("table", { name: "Calls" }).getByRole("button").first().click();
        await page.getByRole("heading", { name: "Payload" }).waitFor();
        assert.deepEqual(await seriousFindings(page), []);
      });
    });
  }
});
