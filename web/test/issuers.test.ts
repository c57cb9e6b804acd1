import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import type { Browser as HttpBrowser } from "#test/browser";
import { createMachineUser } from "#test/factories";
import { startTokenIssuer, type TokenIssuer } from "#test/token-issuer";
import { seriousFindings } from "./kit/axe.ts";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { assertFits } from "./kit/fits.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";

describe("trusted issuers", () => {
  let installation: Installation;
  let browser: TestBrowser;
  let owner: HttpBrowser;
  let idp: TokenIssuer;
  let bot: string;
  before(async () => {
    installation = await startInstallation();
    owner = await signIn(installation, "owner");
    idp = await startTokenIssuer();
    bot = (await createMachineUser(installation.service, "CI")).email;
    browser = await openBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
    await idp?.close();
  });
  const dialog = (page: Page) => page.getByRole("dialog");
  const claims = { sub: "repo:acme/app", repository: "acme/app", ref: "refs/heads/main" };

  it("are added from a preset, and the test of a token shows every check", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/issuers");
      await page.getByText("No trusted issuers yet").waitFor();
      await page.getByRole("button", { name: "Add issuer" }).click();
      assert.equal(
        await dialog(page).getByRole("textbox", { name: "Issuer" }).inputValue(),
        "https://token.actions.githubusercontent.com",
      );
      assert.deepEqual(await seriousFindings(page), []);
      await dialog(page).getByRole("textbox", { name: "Issuer" }).fill(idp.issuer);
      await dialog(page).getByLabel("Value of condition 1").fill("acme/*");
      await dialog(page).getByRole("combobox", { name: "Audiences" }).fill("gatehouse");
      await page.keyboard.press("Enter");
      await dialog(page).getByRole("textbox", { name: "Machine user" }).fill(bot);
      await dialog(page).getByRole("button", { name: "Add issuer" }).click();
      await page.getByRole("heading", { name: "Test a token" }).waitFor();
      await page.getByRole("textbox", { name: "Token" }).fill(await idp.sign(claims));
      await page.getByRole("button", { name: "Test token" }).click();
      await page.getByText(`Acts as ${bot}`).waitFor();
      await page.getByText("repository matches acme/*: repository is acme/app").waitFor();
      await page.getByRole("textbox", { name: "Token" }).fill(await idp.sign({ ...claims, ref: "refs/heads/dev" }));
      await page.getByRole("button", { name: "Test token" }).click();
      await page.getByText(/^1 of \d+ checks failed/).waitFor();
      assert.deepEqual(await seriousFindings(page), []);
    });
    await browser.withPage({ as: owner, width: 375 }, async (page) => {
      await page.goto("/issuers/github-actions?tab=test");
      await page.getByRole("textbox", { name: "Token" }).fill(await idp.sign({ ...claims, sub: "x".repeat(300) }));
      await page.getByRole("button", { name: "Test token" }).click();
      await page.getByText(`Acts as ${bot}`).waitFor();
      await assertFits(page, 375, "the test of a token");
    });
  });

  it("show what was issued, and end it", async () => {
    const headers = { authorization: `Bearer ${await idp.sign(claims)}` };
    const { status } = await installation.service.http("/api/auth-exchange", { method: "POST", headers });
    assert.equal(status, 200);
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/issuers/github-actions?tab=credentials");
      await page.getByRole("row").filter({ hasText: "repo:acme/app" }).waitFor();
      await page.getByRole("button", { name: "End the credential of repo:acme/app" }).click();
      await dialog(page).getByRole("button", { name: "End credential" }).click();
      await page.getByRole("row").filter({ hasText: "Ended" }).waitFor();
    });
  });

  it("keep what the form does not show when they are saved", async () => {
    const path = "/api/auth-exchange/providers";
    const condition = { claim: ["kubernetes.io", "namespace"], operator: "in", value: ["a", "b"] };
    const number = { claim: "level", operator: "equals", value: 3 };
    const patch = { conditions: [condition, number], token: { refresh_ttl_seconds: 120 } };
    await owner.api("PATCH", `${path}?slug=github-actions`, patch);
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/issuers/github-actions");
      await page.getByRole("textbox", { name: "Name" }).fill("CI jobs");
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByText("Saved").waitFor();
      await page.getByRole("switch", { name: /Enable/ }).click();
      await page.getByText("Disabled", { exact: true }).waitFor();
    });
    const { data } = (await owner.api("GET", `${path}/github-actions`)).body;
    assert.deepEqual([data.name, data.enabled, data.conditions], ["CI jobs", false, [condition, number]]);
    assert.equal(data.token.refresh_ttl_seconds, 120);
  });
});
