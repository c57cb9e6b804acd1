import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import type { Browser as HttpBrowser } from "#test/browser";
import { createGroup, createMachineUser } from "#test/factories";
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
      await page.getByRole("textbox", { name: "Key set URL" }).fill("https://typed.example/keys");
      await page.getByRole("switch", { name: /Enable/ }).click();
      await page.getByText("Enabled", { exact: true }).waitFor();
      assert.equal(
        await page.getByRole("textbox", { name: "Key set URL" }).inputValue(),
        "https://typed.example/keys",
        "the switch keeps what was typed",
      );
      await page.getByRole("switch", { name: /Enable/ }).click();
      await page.getByText("Disabled", { exact: true }).waitFor();
    });
    const { data } = (await owner.api("GET", `${path}/github-actions`)).body;
    assert.deepEqual([data.name, data.enabled, data.conditions], ["CI jobs", false, [condition, number]]);
    assert.equal(data.token.refresh_ttl_seconds, 120);
  });

  it("are edited in every field, with the messages of the API at the fields", async () => {
    const path = "/api/auth-exchange/providers";
    await createGroup(installation.service, "Finance", {});
    await createGroup(installation.service, "Staff", {});
    const subject = { mode: "map", claim: "email", match: "email" };
    const people = { name: "People", issuer: "https://login.example.com", audiences: ["app"], subject };
    assert.equal((await owner.api("POST", path, people)).status, 201);
    const jwks = { keys: [{ kty: "OKP", crv: "Ed25519", kid: "1", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" }] };
    await browser.withPage({ as: owner }, async (page, findings) => {
      findings.allowStatus(400);
      await page.goto("/issuers/people");
      const save = () => page.getByRole("button", { name: "Save changes" }).click();
      await page.getByRole("switch", { name: "Allow owners and admins" }).click();
      await page.getByRole("switch", { name: "Create accounts on first exchange" }).click();
      await page.getByRole("combobox", { name: "Groups of created accounts" }).fill("Staff");
      await page.keyboard.press("Enter");
      await page.getByRole("textbox", { name: "Group claim" }).fill("groups");
      await page.getByRole("textbox", { name: "Group mapping" }).fill("idp-finance");
      await page.getByRole("switch", { name: "Sync groups at every exchange" }).click();
      await save();
      await page.getByText("Write each line as issuer group = group").waitFor();
      await page.getByRole("textbox", { name: "Group mapping" }).fill("cn=finance = Finance");
      await page.getByRole("button", { name: "Show advanced settings" }).click();
      await page.getByRole("textbox", { name: "Static keys" }).fill('{"keys": [{"kty": "oct", "k": "AA"}]}');
      await save();
      await page.getByText("Must contain only public keys").waitFor();
      await page.getByRole("textbox", { name: "Static keys" }).fill(JSON.stringify(jwks));
      await page.getByRole("textbox", { name: "Maximum age of exchanged tokens (minutes)" }).fill("30");
      await page.getByRole("textbox", { name: "Access tokens expire after (minutes)" }).fill("10");
      await page.getByRole("textbox", { name: "Refresh is possible for (hours)" }).fill("8");
      await page.getByRole("button", { name: "Add condition" }).click();
      await page.getByLabel("Claim of condition 1").fill("aal");
      await page.getByRole("combobox", { name: "Operator of condition 1" }).click();
      await page.getByRole("option", { name: "is one of" }).click();
      assert.deepEqual(await seriousFindings(page), []);
      await save();
      await page.locator(".gh-issuer-value [id$=-error], .gh-issuer-value .mantine-InputWrapper-error").waitFor();
      await page.getByLabel("Value of condition 1").fill("2, 3");
      await save();
      await page.getByText("Saved", { exact: true }).waitFor();
    });
    const { data } = (await owner.api("GET", `${path}/people`)).body;
    assert.deepEqual(data.provision, {
      ...{ create_users: true, groups: ["Staff"], group_claim: "groups", sync_groups: true },
      group_map: { "cn=finance": "Finance" },
    });
    assert.deepEqual([data.jwks, data.max_age_seconds, data.subject.allow_admins], [jwks, 1_800, true]);
    assert.deepEqual([data.token.access_ttl_seconds, data.token.refresh_ttl_seconds], [600, 28_800]);
    assert.deepEqual(data.conditions, [{ claim: "aal", operator: "in", value: ["2", "3"] }]);
  });

  it("are changed only by owners if their tokens act as people", async () => {
    const path = "/api/auth-exchange/providers";
    const subject = { mode: "map", claim: "email", match: "email" };
    const staff = { name: "Staff", slug: "staff", issuer: "https://staff.example.com", audiences: ["staff"], subject };
    assert.equal((await owner.api("POST", path, staff)).status, 201);
    const admin = await signIn(installation, "admin");
    await browser.withPage({ as: admin }, async (page) => {
      await page.goto("/issuers/staff");
      await page.getByText("Only an owner can change an issuer whose tokens act as people.").waitFor();
      assert.equal(await page.getByRole("textbox", { name: "Name" }).isDisabled(), true);
      assert.equal(await page.getByRole("button", { name: "Save changes" }).count(), 0);
      await page.getByRole("switch", { name: "Enable Staff" }).click();
      await page.getByText("Disabled", { exact: true }).waitFor();
      assert.equal(await page.getByRole("switch", { name: "Enable Staff" }).isDisabled(), true);
      await page.getByRole("button", { name: "Delete issuer" }).waitFor();
      assert.deepEqual(await seriousFindings(page), []);
      await page.goto("/issuers");
      await page.getByRole("button", { name: "Add issuer" }).click();
      await dialog(page).getByText("The user in a claim").click();
      await dialog(page).getByText("Only an owner can trust an issuer whose tokens act as people.").waitFor();
    });
  });
});
