import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";

const inputSchema = {
  type: "object",
  required: ["owner", "query"],
  properties: { owner: { type: "string" }, query: { type: "string" } },
};

describe("toolkits in the app", () => {
  let installation: Installation;
  let browser: TestBrowser;
  let upstream: RawUpstream;
  let bot: MachineUser;
  before(async () => {
    installation = await startInstallation({});
    upstream = await startRawUpstream({ tools: ["search", "delete"].map((name) => ({ name, inputSchema })) });
    await createSyncedServer(installation.service, "Tracker", upstream.url);
    bot = await createMachineUser(installation.service, "bot");
    await createGroup(installation.service, "Support", { slugs: ["tracker"], emails: [bot.email] });
    browser = await openBrowser(installation);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
    await upstream?.close();
  });

  it("are built with a fixed argument, previewed, activated and called", async () => {
    const owner = await signIn(installation, "owner");
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/toolkits");
      await page.getByRole("button", { name: "Create toolkit" }).first().click();
      await page.getByRole("dialog").getByLabel("Name").fill("Triage");
      await page.getByRole("dialog").getByRole("button", { name: "Create toolkit" }).click();
      await page.getByRole("heading", { name: "Triage" }).waitFor();
      await page.getByRole("button", { name: /^Tracker/ }).click();
      await page.getByRole("checkbox", { name: "search" }).check();
      await page.getByRole("button", { name: "Edit tracker__search" }).click();
      const drawer = page.getByRole("dialog");
      await drawer.getByLabel("Name").fill("find");
      await drawer.getByRole("combobox", { name: "How owner is set" }).click();
      await page.getByRole("option", { name: "Fixed" }).click();
      await drawer.getByLabel("Value of owner").fill("acme");
      await drawer.getByRole("button", { name: "Apply" }).click();
      await page.getByText("Changed: 1 fixed").waitFor();
      await page.getByText(/^About \d+ tokens$/).waitFor();
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByText("Unsaved changes").waitFor({ state: "detached" });
      await page.getByRole("navigation", { name: "Toolkit" }).getByRole("link", { name: "Access" }).click();
      await page.getByRole("button", { name: "Change groups" }).click();
      await page.getByRole("combobox", { name: "Groups" }).click();
      await page.getByRole("option", { name: "Support" }).click();
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByRole("button", { name: "Activate" }).click();
      await page.getByRole("button", { name: "Set to draft" }).waitFor();
      await page
        .getByRole("navigation", { name: "Toolkit" })
        .getByRole("link", { name: /^Tools/ })
        .click();
      await page.getByRole("combobox", { name: "User" }).click();
      await page.getByRole("option", { name: /^bot/ }).click();
      const tools = page.getByRole("list", { name: "Tools of the user" });
      await tools.getByText("tracker__find").waitFor();
      assert.equal(await tools.getByRole("listitem").count(), 1);
    });
    const call = (tool: string, args: object) =>
      installation.service.mcp(
        bot.credential,
        { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: args } },
        { "x-service-toolkit": "triage" },
      );
    assert.equal((await call("tracker__delete", {})).body.error.code, -32602);
    const refused = await call("tracker__find", { owner: "evil", query: "x" });
    assert.equal(refused.body.error.message, 'Argument "owner" is fixed by toolkit "triage"');
    assert.equal(upstream.count("tools/call"), 0);
    assert.equal((await call("tracker__find", { query: "x" })).body.error, undefined);
    const sent = upstream.seen
      .map(({ body }) => JSON.parse(body.toString("utf8")))
      .find(({ method }) => method === "tools/call");
    assert.deepEqual(sent.params.arguments, { query: "x", owner: "acme" });
  });

  it("follow the changes of another admin, and ask before they are overwritten or edits are discarded", async () => {
    const owner = await signIn(installation, "owner", "second@example.com");
    const { service } = installation;
    const tools = (...names: string[]) => ({ tools: names.map((tool) => ({ server: "tracker", tool })) });
    const created = await service.api("POST", "/api/toolkits", { name: "Shared", ...tools("search") });
    assert.equal(created.status, 201, created.text);
    const change = (body: object) => service.api("PATCH", "/api/toolkits?slug=shared", body);
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/toolkits/shared");
      const entry = (tool: string) => page.getByRole("button", { name: `Edit tracker__${tool}` });
      await entry("search").waitFor();
      await change(tools("search", "delete"));
      await page.getByRole("button", { name: "Activate" }).click();
      await entry("delete").waitFor();
      assert.equal(await page.getByText("Unsaved changes").count(), 0, "nothing was edited here");
      await page.getByRole("button", { name: /^Tracker/ }).click();
      await page.getByRole("checkbox", { name: "search" }).uncheck();
      await page.getByText("Unsaved changes").waitFor();
      await page.getByRole("link", { name: "Settings", exact: true }).last().click();
      const question = page.getByRole("dialog", { name: "Discard unsaved changes?" });
      await question.getByRole("button", { name: "Keep editing" }).click();
      await entry("search").waitFor({ state: "detached" });
      await change({ ...tools("search"), description: "Changed elsewhere" });
      await page.getByRole("button", { name: "Set to draft" }).click();
      await page.getByText("This was changed elsewhere while you edited it.").waitFor();
      await page.getByRole("button", { name: "Discard edits and reload" }).click();
      await entry("search").waitFor();
      assert.equal(await entry("delete").count(), 0);
      assert.equal(await page.getByText("Unsaved changes").count(), 0);
    });
  });

  it("keep typed settings when a part is saved, and changes of another admin to other fields", async () => {
    const owner = await signIn(installation, "owner", "third@example.com");
    const { service } = installation;
    await service.api("POST", "/api/toolkits", { name: "Described", tools: [{ server: "tracker", tool: "search" }] });
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/toolkits/described?tab=settings");
      await page.getByLabel("Instructions").fill("Typed instructions");
      await service.api("PATCH", "/api/toolkits?slug=described", { description: "First" });
      await page.getByRole("button", { name: "Activate" }).click();
      await page.getByRole("button", { name: "Set to draft" }).waitFor();
      assert.equal(await page.getByLabel("Instructions").inputValue(), "Typed instructions");
      assert.equal(await page.getByRole("textbox", { name: "Description" }).inputValue(), "First");
      await service.api("PATCH", "/api/toolkits?slug=described", { description: "Second" });
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByText("Second").first().waitFor();
    });
    const { data } = (await service.api("GET", "/api/toolkits/described")).body;
    assert.deepEqual([data.description, data.instructions], ["Second", "Typed instructions"]);
  });

  it("of a member are created from the member's tools, used to connect a client, changed and deleted", async () => {
    const member = await signIn(installation, "member", "mia@example.com");
    await installation.service.api("POST", "/api/groups/Support/users", { emails: ["mia@example.com"] });
    await browser.withPage({ as: member }, async (page) => {
      await page.goto("/my-toolkits");
      await page.getByRole("button", { name: "Create toolkit" }).first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("Only search");
      await dialog.getByRole("checkbox", { name: "tracker__search" }).check();
      await dialog.getByRole("button", { name: "Create toolkit" }).click();
      await dialog.waitFor({ state: "detached" });
      const row = page.getByRole("row").filter({ hasText: "Only search" });
      await row.getByText("Active").waitFor();
      await row.getByRole("button", { name: "Actions for Only search" }).click();
      await page.getByRole("menuitem", { name: "Edit" }).click();
      await dialog.getByRole("checkbox", { name: "tracker__search", checked: true }).waitFor();
      await dialog.getByLabel("Name").fill("Search only");
      await dialog.getByRole("button", { name: "Save" }).click();
      await page.getByRole("row").filter({ hasText: "Search only" }).waitFor();
      await page.goto("/setup?toolkit=only-search");
      await page
        .getByText(/\/mcp\?toolkit=only-search/)
        .first()
        .waitFor();
      await page.goto("/my-toolkits");
      await page.getByRole("button", { name: "Actions for Search only" }).click();
      await page.getByRole("menuitem", { name: "Delete…" }).click();
      await dialog.getByRole("button", { name: "Delete toolkit" }).click();
      await page.getByRole("row").filter({ hasText: "Search only" }).waitFor({ state: "detached" });
    });
  });
});
