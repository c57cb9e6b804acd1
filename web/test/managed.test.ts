import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser as HttpBrowser } from "#test/browser";
import { createPerson } from "#test/factories";
import { generateOrganization, type Objects, PEOPLE } from "#test/generated-organization";
import { openBrowser, type TestBrowser } from "./kit/browser.ts";
import { type Installation, signIn, startInstallation } from "./kit/installation.ts";

const SEED = 3;
const DEFAULT_PROVIDER = { type: "anthropic", model: "m", baseUrl: undefined, apiKey: "of the operator" } as const;
const NOTE = /^Managed by files, applied/;
const SLUGGED = ["machine-users", "skills", "commands", "toolkits", "plugins", "guards", "issuers", "agents"];

describe("objects that files manage", () => {
  let installation: Installation;
  let browser: TestBrowser;
  let owner: HttpBrowser;
  let config: Objects;
  before(async () => {
    installation = await startInstallation({ defaultProvider: DEFAULT_PROVIDER });
    owner = await signIn(installation, "owner");
    browser = await openBrowser(installation);
    const { service } = installation;
    for (const email of PEOPLE) await createPerson(service, email, email);
    const text = JSON.stringify(generateOrganization(SEED));
    config = JSON.parse(text.replaceAll("@machine.example.com", "@machine.acme.example"));
    const answer = await service.api("POST", "/api/config/apply", { config });
    assert.equal(answer.status, 200, answer.text);
  });
  after(async () => {
    await browser?.close();
    await installation?.close();
  });

  /** The page of an object of this kind. */
  const pageOf = async (kind: string): Promise<string> => {
    const [object] = config[kind] ?? [];
    assert.ok(object, kind);
    const { slug, name } = object;
    if (kind === "settings") return "/settings";
    if (kind === "discovery-policy") return "/discovery/policy";
    if (kind === "servers") return `/mcp-servers/${slug}`;
    if (kind === "groups") return `/groups/${encodeURIComponent(String(name))}`;
    if (SLUGGED.includes(kind)) return `/${kind}/${slug}`;
    const { body } = await installation.service.api("GET", `/api/${kind}?limit=100`);
    const { id } = body.data.find((each: { name: string }) => each.name === name);
    return kind === "webhooks" ? `/webhooks/${id}` : `/log-destinations?open=${id}`;
  };

  it("say so on their page, whatever their kind", async () => {
    const { body } = await installation.service.api("GET", "/api/config");
    const kinds = Object.keys(body.data.config);
    assert.ok(kinds.length >= 14);
    await browser.withPage({ as: owner }, async (page) => {
      for (const kind of kinds) {
        await page.goto(await pageOf(kind));
        await page.getByText(NOTE).first().waitFor();
      }
    });
  });

  it("can be changed after they are released from files", async () => {
    await browser.withPage({ as: owner }, async (page) => {
      await page.goto("/discovery/policy");
      await page.getByText(NOTE).waitFor();
      assert.equal(await page.getByRole("button", { name: "Create rule" }).count(), 0);
      await page.getByRole("button", { name: "Release from files…" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Release", exact: true }).click();
      await page.getByRole("button", { name: "Create rule" }).waitFor();
      assert.equal(await page.getByText(NOTE).count(), 0);
      await page.goto(await pageOf("log-destinations"));
      await page.getByRole("dialog").getByText(NOTE).waitFor();
      assert.equal(await page.getByRole("button", { name: "Edit…" }).count(), 0);
    });
  });
});
