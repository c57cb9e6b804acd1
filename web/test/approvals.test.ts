import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";

describe("approvals in the app", () => {
  let installation: Installation;
  let browser: TestBrowser;
  let upstream: RawUpstream;
  let bot: MachineUser;
  before(async () => {
    installation = await startInstallation({});
    upstream = await startRawUpstream();
    await createSyncedServer(installation.service, "Bank", upstream.url);
    bot = await createMachineUser(installation.service, "bot");
    await createGroup(installation.service, "Finance", { slugs: ["bank"], emails: [bot.email] });
    browser = await openBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
    await upstream?.close();
  });

  const call = async (amount: number) => {
    const params = { name: "bank__echo", arguments: { transfer: amount } };
    return (await installation.service.mcp(bot.credential, { jsonrpc: "2.0", id: 1, method: "tools/call", params }))
      .body.result;
  };

  it("approve a held call while the client waits", async () => {
    await installation.service.api("PATCH", "/api/settings", { approval_wait_seconds: 120 });
    const owner = await signIn(installation, "owner");
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/guards?add=guard");
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Guard name").fill("Transfers");
      await dialog.getByRole("combobox", { name: "Action" }).click();
      await page.getByRole("option", { name: /^Require approval/ }).click();
      await dialog.getByRole("combobox", { name: "Words" }).fill("transfer");
      await page.keyboard.press("Enter");
      await dialog.getByRole("button", { name: "Create guard" }).click();
      await page.getByRole("heading", { name: "Transfers" }).waitFor();
      await installation.service.api("PATCH", "/api/guards?slug=transfers", { enabled: true });

      await page.goto("/approvals");
      await page.getByText("No call waits for an approval").waitFor();
      const waiting = call(100);
      await page.getByRole("row").filter({ hasText: bot.email }).click();
      await page.getByRole("heading", { name: "Bank: echo" }).waitFor();
      await page.getByText('"transfer": 100').waitFor();
      await page.getByText("Exact text").click();
      await page.getByText('{"transfer":100}').waitFor();
      assert.equal(upstream.count("tools/call"), 0);
      await page.getByRole("button", { name: "Approve" }).click();
      await page.getByText("The call continued. The approval is used up.").waitFor();
      assert.deepEqual((await waiting).structuredContent, { transfer: 100 });
      await page.getByRole("link", { name: "Show the call" }).click();
      await page.getByRole("row").filter({ hasText: "echo" }).first().click();
      await page.getByRole("dialog").getByRole("link", { name: /^apr_/ }).click();
      await page.getByRole("heading", { name: "Bank: echo" }).waitFor();
    });
  });

  it("deny a call from its link after signing in, on a phone, with a note for the caller", async () => {
    await installation.service.api("PATCH", "/api/settings", { approval_wait_seconds: 0 });
    const text = (await call(200)).content[0].text;
    const [path] = /\/approvals\/apr_\w+/.exec(text) ?? assert.fail(text);
    const admin = await signIn(installation, "admin", "admin@example.com");
    await browser.withPage({ as: admin, width: 375 }, async (page) => {
      await page.goto(path);
      await page.getByLabel("Note").fill("Ask finance first");
      await page.getByRole("button", { name: "Deny" }).click();
      await page.getByText(/^The call was denied/).waitFor();
      await page.goto("/approvals?tab=history");
      await page.getByRole("row").filter({ hasText: "Denied" }).waitFor();
    });
    assert.match((await call(200)).content[0].text, /Ask finance first/);
  });
});
