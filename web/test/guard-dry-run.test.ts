import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";
import { seriousFindings } from "./kit/axe.ts";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";

const CARD = "4111 1111 1111 1111";

describe("a dry run in the app", () => {
  let installation: Installation;
  let browser: TestBrowser;
  let upstream: RawUpstream;
  let bot: MachineUser;
  before(async () => {
    installation = await startInstallation({});
    upstream = await startRawUpstream();
    await createSyncedServer(installation.service, "Desk", upstream.url);
    bot = await createMachineUser(installation.service, "bot");
    await createGroup(installation.service, "Support", { slugs: ["desk"], emails: [bot.email] });
    browser = await openBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
    await upstream?.close();
  });

  const call = async (text: string) => {
    const params = { name: "desk__echo", arguments: { text } };
    return (await installation.service.mcp(bot.credential, { jsonrpc: "2.0", id: 1, method: "tools/call", params }))
      .body;
  };

  it("offers to store payloads, shows what the card guard would have done, and the guard is turned on", async () => {
    const owner = await signIn(installation, "owner");
    await call("no card");
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/guards/payment-cards?tab=dry-run");
      await page.getByRole("button", { name: "Start dry run" }).click();
      await page.getByText(/None of the \d+ calls in this period has a stored payload/).waitFor();
      await page.getByLabel("Days").fill("3");
      await page.getByRole("button", { name: "Store payloads" }).click();
      await page.getByText(/Payloads are stored until/).waitFor();
    });
    const { data } = (await installation.service.api("GET", "/api/settings")).body;
    assert.equal(data.payload_capture, "full");
    assert.ok(Math.abs(Date.parse(data.payload_capture_until) - Date.now() - 3 * 86_400_000) < 120_000);
    for (const text of [`card ${CARD}`, `card ${CARD}`, "no card"]) await call(text);
    const body = { guard_slug: "payment-cards", from: new Date(Date.now() - 3_600_000).toISOString() };
    const examined = async () => {
      const to = new Date(Date.now() + 1_000).toISOString();
      return (await installation.service.api("POST", "/api/guards/dry-run", { ...body, to })).body.data.calls_examined;
    };
    while ((await examined()) < 3) await new Promise((resolve) => setTimeout(resolve, 50));
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/guards/payment-cards?tab=dry-run");
      await page.getByRole("button", { name: "Start dry run" }).click();
      await page.getByRole("list", { name: "By tool" }).getByText("desk__echo").waitFor();
      await page.getByRole("list", { name: "By tool" }).getByText("2 calls").waitFor();
      await page.getByRole("list", { name: "By caller" }).getByText(bot.email).waitFor();
      await page.getByRole("button", { name: "Start dry run", disabled: false }).waitFor();
      assert.deepEqual(await seriousFindings(page), []);
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/dry-run.png`, fullPage: true });
      await page.setViewportSize({ width: 375, height: 800 });
      assert.deepEqual(await seriousFindings(page), []);
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/dry-run-375.png`, fullPage: true });
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.getByRole("list", { name: "Examples" }).getByRole("link").first().click();
      await page.getByRole("dialog").getByText("desk").first().waitFor();
      await page.goto("/guards/payment-cards?tab=test");
      await page.getByRole("combobox", { name: "Logged call" }).click();
      await page.getByRole("option").first().click();
      await page.getByLabel("Text", { exact: true }).filter({ hasText: "no card" }).waitFor();
      await page.goto("/guards/payment-cards");
      await page.locator(".mantine-Switch-track").first().click();
      await page.getByRole("switch", { name: "Turn on Payment cards", checked: true }).waitFor();
    });
    assert.equal((await call(`card ${CARD}`)).result.isError, true);
  });
});
