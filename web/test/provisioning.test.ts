import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import type { Browser as HttpBrowser } from "#test/browser";
import { createMachineUser } from "#test/factories";
import { startIdentityProvider, type TestIdentityProvider } from "#test/identity-provider";
import { type ScimClient, scimClient } from "#test/scim-client";
import { seriousFindings } from "./kit/axe.ts";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { assertFits } from "./kit/fits.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";

const ADA = "ada@acme.example";

describe("provisioning and group mapping", () => {
  let installation: Installation;
  let browser: TestBrowser;
  let owner: HttpBrowser;
  let idp: ScimClient;
  let provider: TestIdentityProvider;
  before(async () => {
    installation = await startInstallation();
    const { service } = installation;
    owner = await signIn(installation, "owner");
    idp = scimClient(service, () => service.token);
    const ada = await idp.expect(201, "POST", "/Users", { userName: ADA, displayName: "Ada Lovelace" });
    const eve = await idp.expect(201, "POST", "/Users", { userName: "eve@acme.example", displayName: "Eve" });
    await idp.patch(`/Users/${eve.id}`, { op: "replace", value: { active: false } });
    await idp.expect(201, "POST", "/Groups", { displayName: "Pushed", members: [{ value: ada.id }] });
    const bot = await createMachineUser(service, "Build bot");
    await service.api("POST", "/api/groups/pushed/users", { emails: [bot.email] });
    provider = await startIdentityProvider(`${installation.url}/sso-callback`);
    browser = await openBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
    await provider?.close();
  });
  const dialog = (page: Page) => page.getByRole("dialog");

  it("shows the base URL, counts and requests, creates a token, and fits in both widths and themes", async () => {
    for (const view of [
      { theme: "light", width: 1280 },
      { theme: "dark", width: 375 },
    ] as const) {
      await browser.withPage({ as: owner, ...view }, async (page) => {
        await page.goto("/settings/provisioning");
        await page.getByText("http://localhost:8080/scim/v2").waitFor();
        await page.getByText("2, of which 1 suspended").waitFor();
        assert.deepEqual(await seriousFindings(page), []);
        await assertFits(page, view.width, "provisioning");
      });
    }
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/settings/provisioning");
      await page.getByRole("button", { name: "Create SCIM token" }).click();
      assert.equal(await dialog(page).getByRole("checkbox", { name: "SCIM provisioning" }).isChecked(), true);
      await dialog(page).getByRole("button", { name: "Create token" }).click();
      await page.getByText("API token SCIM provisioning").waitFor();
      await page.keyboard.press("Escape");
    });
    const { data } = (await installation.service.api("GET", "/api/api-tokens")).body;
    assert.deepEqual(data.at(-1).scopes, ["admin:scim"]);
  });

  it("marks and locks people and groups, and detaches them", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto(`/users/${ADA}`);
      await page.getByText("Managed by SCIM").waitFor();
      assert.equal(await page.getByLabel("Name").isDisabled(), true);
      assert.equal(await page.getByRole("button", { name: "Delete…" }).count(), 0);
      assert.equal(await page.getByRole("button", { name: "Remove from Pushed" }).count(), 0);
      assert.deepEqual(await seriousFindings(page), []);
      await page.goto("/users/eve@acme.example");
      await page.getByText("Your identity provider deactivated this person.").waitFor();
      assert.equal(await page.getByRole("button", { name: "Enable…" }).count(), 0);
      await page.getByRole("button", { name: "Detach from SCIM…" }).click();
      await dialog(page).getByRole("button", { name: "Detach" }).click();
      await page.getByRole("button", { name: "Enable…" }).waitFor();

      await page.goto("/groups/Pushed");
      await page.getByRole("button", { name: "Remove Build bot from Pushed" }).waitFor();
      assert.equal(await page.getByRole("button", { name: "Remove Ada Lovelace from Pushed" }).count(), 0);
      await page.goto("/groups/Pushed?tab=settings");
      await page.getByText("Managed by SCIM").waitFor();
      assert.equal(await page.getByRole("button", { name: "Delete group…" }).count(), 0);
      assert.deepEqual(await seriousFindings(page), []);
      await page.goto("/groups");
      await page.getByRole("row").filter({ hasText: "Pushed" }).getByText("SCIM").waitFor();
    });
  });

  it("previews a group mapping before it is saved, and links to a test sign-in", async () => {
    const sso = {
      ...{ issuer: provider.issuer, client_id: provider.clientId, client_secret: provider.clientSecret },
      allowed_domains: ["example.com"],
    };
    const saved = await installation.service.api("PATCH", "/api/settings", { sso });
    assert.equal(saved.status, 200, saved.text);
    await installation.service.api("POST", "/api/groups", { name: "Engineering" });
    await browser.withPage({ as: owner, width: 375, theme: "dark" }, async (page) => {
      await page.goto("/settings/sign-in");
      const link = page.getByRole("link", { name: "Test sign-in" });
      assert.match((await link.getAttribute("href")) ?? "", /\/sso\?test=true$/);
      assert.equal(await link.getAttribute("aria-disabled"), "false");
      await page.getByLabel("Groups claim").fill("groups");
      await page.getByLabel("Group mapping").fill("eng-all = Engineering");
      assert.equal(await link.getAttribute("aria-disabled"), "true");
      await page.getByRole("button", { name: "Preview" }).click();
      await page.getByText("Creates an account for ada@example.com").waitFor();
      await page.getByRole("definition").filter({ hasText: "Engineering" }).waitFor();
      assert.deepEqual(await seriousFindings(page), []);
      await assertFits(page, 375, "sign-in settings");
    });
  });
});
