import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import type { Browser as HttpBrowser } from "#test/browser";
import { createServer } from "#test/factories";
import { startCustomer } from "#test/oauth/customer";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";
import { seriousFindings } from "./kit/axe.ts";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";

describe("MCP servers and catalog pages", () => {
  let installation: Installation;
  let upstream: RawUpstream;
  let browser: TestBrowser;
  let owner: HttpBrowser;
  before(async () => {
    upstream = await startRawUpstream({ tools: [toolCalled("count_boxes"), toolCalled("move_box")] });
    installation = await startInstallation();
    owner = await signIn(installation, "owner");
    browser = await openBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
    await upstream?.close();
  });
  const slugs = async (): Promise<string[]> => {
    const { body } = await installation.service.api("GET", "/api/mcp-servers");
    return body.data.map(({ slug }: { slug: string }) => slug);
  };

  it("adds a server by URL, syncs its tools, disables one, and undoes that", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/mcp-servers?add=url");
      await page.getByRole("textbox", { name: "Name" }).fill("Warehouse");
      await page.getByRole("textbox", { name: "Server URL" }).fill(upstream.url);
      await dialog(page).getByRole("button", { name: "Add server" }).click();
      await page.waitForURL("**/mcp-servers/warehouse");
      await page.getByText("2 enabled tools").waitFor();
      await page.getByRole("button", { name: "Sync tools" }).click();
      await page.getByRole("link", { name: "Tools 2" }).click();
      await page.getByLabel("count_boxes is enabled").press("Space");
      await page.getByText("1 of 2 enabled").waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByText("2 of 2 enabled").waitFor();
    });
  });

  it("adds a server to a group and removes it", async () => {
    await installation.service.api("POST", "/api/groups", { name: "Packers" });
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/mcp-servers/warehouse?tab=access");
      await page.getByRole("combobox", { name: "Group" }).click();
      await page.getByRole("option", { name: "Packers" }).click();
      await page.getByRole("button", { name: "Add to group" }).click();
      await page.getByRole("link", { name: "Packers" }).waitFor();
      await page.getByRole("button", { name: "Remove Warehouse from Packers" }).click();
      await page.getByText("Not in any group").waitFor();
    });
  });

  it("changes settings, shows an error at its field, and follows the new slug", async () => {
    await browser.withPage({ as: owner }, async (page, findings) => {
      findings.allowStatus(400);
      await page.goto("/mcp-servers/warehouse?tab=settings");
      await page.getByRole("textbox", { name: "Slug" }).fill("Not A Slug");
      await page.getByRole("button", { name: "Save changes" }).first().click();
      await page.getByText("must contain only lowercase letters").waitFor();
      await page.getByRole("textbox", { name: "Slug" }).fill("depot");
      await page.getByRole("button", { name: "Save changes" }).first().click();
      await page.waitForURL("**/mcp-servers/depot?tab=settings");
    });
  });

  it("keeps typed settings and credentials while something else changes the server", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      const sync = async () => {
        await page.getByRole("button", { name: "Sync tools" }).click();
        await page.getByText("2 enabled tools").last().waitFor();
      };
      await page.goto("/mcp-servers/depot?tab=settings");
      await page.getByLabel("Description").fill("Typed description");
      await page.getByLabel("Concurrent calls").fill("7");
      await page.getByRole("button", { name: "Save changes" }).last().click();
      await savedForm(page).waitFor();
      assert.equal(await page.getByLabel("Description").inputValue(), "Typed description");
      await sync();
      assert.equal(await page.getByLabel("Description").inputValue(), "Typed description");
      await page.goto("/mcp-servers/depot?tab=auth");
      await page.getByRole("radio", { name: /^Shared/ }).click();
      await page.getByLabel("Value").fill("Bearer typed");
      await sync();
      assert.equal(await page.getByLabel("Value").inputValue(), "Bearer typed");
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByPlaceholder("•••••••• (saved)").waitFor();
      assert.equal(await page.getByLabel("Value").inputValue(), "", "secrets are never shown again");
      await page.getByLabel("Value").fill("Bearer replaced");
      await page.getByRole("button", { name: "Save changes" }).click();
      await savedForm(page).waitFor();
      assert.equal(await page.getByLabel("Value").inputValue(), "");
    });
  });

  it("shows the steps of a discovery, why it failed, and what it found", async () => {
    const customer = await startCustomer({ registration: ({ redirect_uris: _uris, ...rest }) => rest });
    try {
      await createServer(installation.service, "Wiki", customer.url, { auth_settings: { authType: "proxy-oauth" } });
      await browser.withPage({ as: owner }, async (page, findings) => {
        findings.allowStatus(400);
        await page.goto("/mcp-servers/wiki?tab=auth");
        const discover = page.getByRole("button", { name: "Discover OAuth Settings" });
        const steps = page.getByRole("list", { name: "Discovery steps" });
        await discover.click();
        const failed = page.getByRole("alert").filter({ hasText: "OAuth Discovery Failed" });
        await failed.getByText("redirect_uris: expected array, received undefined").waitFor();
        await failed.getByText("register a client at the provider").waitFor();
        await steps.getByText(`${customer.origin}/register`).waitFor();
        customer.behaviour.registration = (valid) => valid;
        await discover.click();
        await page.getByText("Users can connect.").waitFor();
        await page.getByText(`${customer.origin}/token`, { exact: true }).waitFor();
        assert.equal(await failed.count(), 0);
        await steps.getByText(`${customer.origin}/register`).waitFor();
      });
    } finally {
      await customer.close();
    }
  });

  it("adds a server from the catalog, marks it as in use, and keeps filters on reload", async () => {
    await createServer(installation.service, "notes", "https://notes.example.com/mcp");
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/catalog");
      await page.getByRole("link", { name: "Documentation" }).click();
      await page.getByLabel("Search the catalog").fill("astro");
      await page.waitForURL("**/catalog?*q=astro*");
      await page.reload();
      await page.getByRole("button", { name: "Add Astro Docs" }).click();
      await page.waitForURL("**/mcp-servers/astro-docs");
      await page.goBack();
      await page.getByRole("link", { name: "In use" }).waitFor();
      assert.equal(await page.getByLabel("Search the catalog").inputValue(), "astro");
    });
  });

  it("supports the keyboard: search, rows, and the command palette", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/mcp-servers");
      await page.getByRole("link", { name: "Warehouse" }).waitFor();
      assert.equal(await page.evaluate(MOVING_COLOURS), 0, "a theme change has no transitions");
      await page.keyboard.press("/");
      const found = page.waitForResponse(/[?&]search=o(?:&|$)/);
      await page.keyboard.type("o");
      await page.waitForURL("**/mcp-servers?q=o");
      await found;
      await page.locator("[data-stale]").waitFor({ state: "detached" });
      await page.getByRole("link", { name: "Warehouse" }).focus();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForURL("**/mcp-servers/notes");
      await page.keyboard.press("Control+k");
      // Enter before the results arrive opens the first result.
      await page.getByRole("combobox", { name: "Search or jump to" }).fill("wareh");
      await page.keyboard.press("Enter");
      await page.waitForURL("**/mcp-servers/depot");
    });
  });

  it("opens a tool from the command palette and remembers it", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/catalog");
      await page.getByRole("heading", { name: "Catalog" }).waitFor();
      await page.keyboard.press("Control+k");
      const field = page.getByRole("combobox", { name: "Search or jump to" });
      await field.fill("depot box");
      await page.getByRole("option", { name: "move_box" }).waitFor();
      await page.keyboard.press("ArrowDown");
      assert.equal(await page.getByRole("option", { selected: true }).count(), 1);
      assert.deepEqual(await seriousFindings(page), []);
      await page.keyboard.press("Enter");
      await page.waitForURL("**/mcp-servers/depot?tab=tools&tool=move_box");
      await dialog(page).getByText("depot__move_box").waitFor();
      assert.deepEqual(await seriousFindings(page), []);
      await page.keyboard.press("Escape");
      await page.waitForURL("**/mcp-servers/depot?tab=tools");
      await page.keyboard.press("Control+k");
      await page.getByRole("group", { name: "Recent" }).getByRole("option", { name: "move_box" }).waitFor();
    });
  });

  it("offers only permitted entries in the command palette", async () => {
    const field = (page: Page) => page.getByRole("combobox", { name: "Search or jump to" });
    const member = await signIn(installation, "member", "member@example.com");
    await browser.withPage({ as: member }, async (page) => {
      await page.goto("/connections");
      await page.getByRole("heading", { name: "Connections" }).waitFor();
      await page.keyboard.press("Control+k");
      await page.getByRole("option", { name: "Playground" }).waitFor();
      assert.equal(await page.getByRole("option", { name: /^(Add|Create|Invite|MCP servers|Users)/ }).count(), 0);
      // A search request would be rejected by the API and reported as a finding.
      await field(page).fill("wareh");
      await page.getByText("No results for “wareh”").waitFor();
      assert.deepEqual(await seriousFindings(page), []);
    });
    const auditor = await signIn(installation, "auditor", "auditor@example.com");
    await browser.withPage({ as: auditor }, async (page) => {
      await page.goto("/mcp-servers");
      await page.getByRole("link", { name: "Warehouse" }).waitFor();
      assert.equal(await page.getByRole("checkbox", { name: /^Select/ }).count(), 0);
      await page.keyboard.press("Control+k");
      await field(page).fill("wareh");
      await page.getByRole("option", { name: "Warehouse depot" }).waitFor();
      await field(page).fill("");
      await page.getByRole("option", { name: "Users", exact: true }).waitFor();
      assert.equal(await page.getByRole("option", { name: /^(Add|Create|Invite)/ }).count(), 0);
    });
  });

  it("keeps sorting in the URL, and reports failures of a bulk action and keeps them selected", async () => {
    const { service } = installation;
    for (const name of ["Bulk A", "Bulk B", "Bulk C"]) await service.api("POST", "/api/mcp-servers", { name });
    await service.api("POST", "/api/groups", { name: "Bulk users" });
    await service.api("POST", "/api/groups/Bulk%20users/integrations", { slugs: ["bulk-a", "bulk-b", "bulk-c"] });
    await browser.withPage({ as: owner }, async (page, findings) => {
      findings.allowStatus(404);
      await page.goto("/mcp-servers?q=bulk");
      await page.getByRole("button", { name: "Name" }).click();
      await page.getByRole("button", { name: "Name" }).click();
      await page.waitForURL("**/mcp-servers?q=bulk&sort=name&order=desc");
      await page.reload();
      await page.getByRole("columnheader", { name: "Name" }).and(page.locator("[aria-sort=descending]")).waitFor();
      await page.getByRole("link", { name: "Bulk C" }).waitFor();
      const rows = await page.getByRole("link", { name: /^Bulk/ }).allInnerTexts();
      assert.deepEqual(
        rows.map((row) => row.slice(0, 6)),
        ["Bulk C", "Bulk B", "Bulk A"],
      );
      await page.getByLabel("Select Bulk C").click();
      await page.getByLabel("Select Bulk A").click({ modifiers: ["Shift"] });
      await page.getByText("3 selected").waitFor();
      assert.deepEqual(await seriousFindings(page), []);
      await page.getByRole("button", { name: "Change" }).click();
      await page.getByRole("menuitem", { name: "Add to a group…" }).click();
      await dialog(page).getByRole("combobox", { name: "Group" }).click();
      await page.getByRole("option", { name: "Packers" }).waitFor();
      assert.equal(await page.getByRole("option", { name: "Bulk users" }).count(), 0);
      await page.keyboard.press("Escape");
      await dialog(page).getByRole("button", { name: "Cancel" }).click();
      await service.api("DELETE", "/api/mcp-servers?slug=bulk-b");
      await page.getByRole("button", { name: "Change" }).click();
      await page.getByRole("menuitem", { name: "Activate" }).click();
      await page.getByText("2 done, 1 failed").waitFor();
      await page.getByRole("list", { name: "Failures" }).getByText("MCP server not found").waitFor();
      await dialog(page).getByRole("button", { name: "Close" }).last().click();
      await page.getByText("1 selected").waitFor();
    });
    const { body } = await service.api("GET", "/api/mcp-servers?search=bulk&status=active");
    assert.equal(body.data.length, 2);
  });

  it("deletes a server only after its slug is typed", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/mcp-servers/depot?tab=settings");
      await page.getByRole("button", { name: "Delete server" }).click();
      const confirm = dialog(page).getByRole("button", { name: "Delete server" });
      assert.ok(await confirm.isDisabled());
      await page.getByLabel("Type depot to confirm").fill("depot");
      await confirm.click();
      await page.waitForURL("**/mcp-servers");
    });
    assert.ok(!(await slugs()).includes("depot"));
  });
});

/** Number of transitions that start when the theme changes, which would show both themes at the same time. */
const MOVING_COLOURS = `(() => {
  document.documentElement.dataset.mantineColorScheme = "dark";
  return document.getAnimations().filter((animation) => animation instanceof CSSTransition).length;
})()`;

function dialog(page: Page) {
  return page.getByRole("dialog");
}

function toolCalled(name: string) {
  return { name, description: `Does ${name}`, inputSchema: { type: "object" } };
}

/** While a form is saved, its button is disabled too. */
function savedForm(page: Page) {
  return page.locator("button[type=submit]:disabled:not([data-loading])");
}
