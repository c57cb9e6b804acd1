/** The clauses about the admin app, in a browser. Runs with `npm run test:web`, which builds the app first. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { after, before, describe, it } from "node:test";
import { type Browser, chromium, type Page } from "playwright-core";
import { Api } from "../kit/api.ts";
import { type Customer, startCustomer } from "../kit/customer.ts";
import { type Registry, startRegistry } from "../kit/registry.ts";
import { type Installation, spawnInstallation } from "../kit/spawn-installation.ts";
import { givenTarget } from "../kit/target.ts";

const CHROMIUM = "/usr/bin/chromium-headless-shell";
const TIMEOUT_MS = 30_000;
const PASSWORD = "a long password for acceptance";

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on TCP
  server.close();
  await once(server, "close");
  return port;
}

describe("the admin app", () => {
  let registry: Registry;
  let installation: Installation | undefined;
  let browser: Browser;
  let page: Page;
  let api: Api;
  let customer: Customer;

  before(async () => {
    registry = await startRegistry();
    installation = givenTarget()
      ? undefined
      : await spawnInstallation({ registryUrl: registry.url, port: await freePort() });
    api = new Api(givenTarget() ?? installation?.target ?? assert.fail("no installation"));
    customer = await startCustomer();
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
    const context = await browser.newContext({ baseURL: api.target.url });
    context.setDefaultTimeout(TIMEOUT_MS);
    page = await context.newPage();
    await signIn();
  });
  after(async () => {
    await browser?.close();
    await api?.cleanUp();
    await installation?.stop();
    await customer?.close();
    await registry?.close();
  });

  /** Accepts an invitation as an owner. The link has the public URL, which can differ from the one under test. */
  async function signIn(): Promise<void> {
    const { email } = await api.person();
    await api.body(200, "PATCH", `/api/users?email=${email}`, { role: "owner" });
    const { invite_url } = await api.body(201, "POST", `/api/users/invite?email=${email}`);
    const { pathname, hash } = new URL(invite_url);
    await page.goto(`${pathname}${hash}`);
    for (const field of await page.locator("input[type=password]").all()) await field.fill(PASSWORD);
    await page.locator("input[type=password]").last().press("Enter");
    const text = () => page.innerText("body");
    await page
      .getByRole("banner")
      .waitFor()
      .catch(async () => assert.fail(`not signed in: ${await text()}`));
  }

  const statusOf = async (token: string) => {
    const { status } = await api.send("/api/groups?limit=1", { headers: { authorization: `Bearer ${token}` } });
    return status;
  };

  it("shows the gateway URL in the top bar, and /mcp below it is the endpoint [S1-gateway-url]", async () => {
    await page.goto("/");
    const { gateway_url: shown } = await page.evaluate<{ gateway_url: string }>(
      "fetch('api/me').then((me) => me.json())",
    );
    await page.getByRole("banner").getByText(shown, { exact: true }).waitFor();
    const { credential } = await api.machineUser();
    const { status } = await api.mcp(credential, "ping");
    assert.equal(status, 200);
  });

  it("creates a machine user, shows its secret once, and reveals it later [S2.7-reveal S5.4-create S5.4-once]", async () => {
    const name = api.unique("bot");
    await page.goto("/machine-users?add=machine-user");
    await page.getByRole("dialog").getByLabel("Name").fill(name);
    await page.getByRole("dialog").getByRole("button", { name: "Create machine user" }).click();
    await page.getByRole("dialog", { name: `Access key for ${name}` }).waitFor();
    const [key = "", secret = ""] = await page.getByRole("dialog").locator("code").allTextContents();
    assert.equal((await api.mcp(`${key}:${secret}`, "ping")).status, 200);
    await page.getByLabel("I have stored it in a safe place").check();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("row").filter({ hasText: name }).waitFor();
    assert.equal((await page.content()).includes(secret), false, "the secret is not shown again");
    await page.getByRole("row").filter({ hasText: name }).getByText(key).first().waitFor();
    await page.getByRole("button", { name: `Reveal the secret of ${name}` }).click();
    await page.getByText(secret).waitFor();
    await api.body(200, "DELETE", `/api/users?email=${encodeURIComponent(await emailOf(name))}`);
  });

  const emailOf = async (name: string): Promise<string> => {
    const { data } = await api.body(200, "GET", `/api/users?search=${name}`);
    return data[0].email;
  };

  it("creates and deletes API tokens [S5.1-managed]", async () => {
    const name = api.unique("token");
    await page.goto("/api-tokens");
    await page.getByRole("button", { name: "Create token" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill(name);
    await dialog.getByLabel("All", { exact: true }).check();
    await dialog.getByRole("button", { name: "Create token" }).click();
    await page.getByLabel("I have stored it in a safe place").waitFor();
    const token = (await page.getByRole("dialog").locator("code").first().textContent()) ?? "";
    assert.equal(await statusOf(token), 200);
    await page.getByLabel("I have stored it in a safe place").check();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: `Actions for ${name}` }).click();
    await page.getByRole("menuitem", { name: "Revoke…" }).click();
    const confirmation = page.getByRole("dialog", { name: `Revoke token ${name}?` });
    await confirmation.getByRole("textbox").fill(name);
    await confirmation.getByRole("button", { name: "Revoke token" }).click();
    await page.getByRole("row").filter({ hasText: name }).waitFor({ state: "detached" });
    assert.equal(await statusOf(token), 401);
  });

  it("discovers OAuth settings on request of an admin, and has a field for the client ID [S4.6-when S4.6-metadata]", async () => {
    const slug = await api.server({ mcp_proxy: JSON.stringify({ type: "http", url: customer.url }) });
    await page.goto(`/mcp-servers/${slug}?tab=auth`);
    await page.getByRole("radio", { name: /OAuth per user/ }).click();
    await page.getByRole("heading", { name: "Proxy OAuth advanced settings" }).waitFor();
    assert.equal(await page.getByLabel("Client ID", { exact: true }).count(), 1);
    const before = customer.to("/.well-known/oauth-authorization-server").length;
    await page.getByRole("button", { name: "Discover OAuth Settings" }).click();
    await page.getByText("Users can connect.").waitFor();
    assert.ok(customer.to("/.well-known/oauth-authorization-server").length > before);
  });

  it("shows calls in the logs with their caller [S4.5-rule-4]", async () => {
    const upstream = customer.url;
    const slug = await api.server({
      mcp_proxy: JSON.stringify({ type: "http", url: upstream }),
      auth_settings: { authType: "proxy-oauth" },
    });
    const bot = await api.machineUser();
    await api.group({ slugs: [slug], emails: [bot.email] });
    await api.mcp(bot.credential, "tools/call", { name: `${slug}__whoami`, arguments: {} });
    await page.goto("/logs");
    await page.getByText(bot.email).first().waitFor();
  });
});
