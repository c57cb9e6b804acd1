import assert from "node:assert/strict";
import { before, it } from "node:test";
import { forEachApi } from "#test/api";
import { signedInAs } from "#test/browser";
import { createServer } from "#test/factories";
import { operations } from "../operations.ts";
import { LOCKED_OPERATIONS } from "./managed.ts";

/** API-22. */
const CONFIG = {
  settings: [{ name: "organization", help_contact: "help@example.com" }],
  servers: [{ slug: "github", name: "GitHub", url: "http://127.0.0.1:65001/mcp", transport: "http" }],
  skills: [{ slug: "notes", name: "notes", description: "Writes notes.", content: "# Notes" }],
  "machine-users": [{ slug: "ci", name: "CI", client_credentials: null }],
  groups: [{ name: "Engineering", servers: [{ slug: "github" }] }],
  toolkits: [{ slug: "triage", name: "Triage", groups: [] }],
  webhooks: [{ name: "On call", url: "http://127.0.0.1:65001/", events: ["security.alert"], enabled: false }],
  "log-destinations": [
    { name: "Collector", kind: "otlp", sources: ["audit"], url: "http://127.0.0.1:65001/", enabled: false },
  ],
  "discovery-policy": [{ name: "organization", rules: [] }],
};

const SKILL = "---\nname: notes\ndescription: Writes other notes.\n---\n\n# Others\n";

forEachApi("objects that files manage", (api) => {
  const managedBy = /is managed by files.*gatehouse release/;
  const refused = async (method: string, path: string, body?: unknown) => {
    const answer = await api.call(method, path, body);
    assert.equal(answer.status, 409, `${method} ${path}: ${answer.text}`);
    assert.match(answer.body.message, managedBy);
  };
  const allowed = async (method: string, path: string, body?: unknown) => {
    const answer = await api.call(method, path, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  };
  let webhook = "";
  let destination = "";
  let request = "";
  const ci = "/api/users?email=CI%40machine.example.com";

  before(async () => {
    const ada = await signedInAs(api.service, "member", "ada@example.com");
    await createServer(api.service, "Desk", "http://127.0.0.1:65001/desk");
    await allowed("POST", "/api/config/apply", { config: CONFIG });
    // The new server is synced in the background, which changes its record.
    const github = api.db.selectFrom("mcp_servers").select("sync_error").where("slug", "=", "github");
    while ((await github.executeTakeFirstOrThrow()).sync_error === null);
    webhook = (await api.call("GET", "/api/webhooks")).body.data[0].id;
    const asked = await ada.api("POST", "/api/me/requests", { server: "desk", reason: "For on-call" });
    request = asked.body.data.id;
    destination = (await api.call("GET", "/api/log-destinations")).body.data[0].id;
  });

  it("cannot be changed or deleted by other callers", async () => {
    const unchanged = await api.everything();
    await refused("PATCH", "/api/settings", { help_contact: "me@example.com" });
    await refused("PATCH", "/api/mcp-servers?slug=github", { upstream: { url: "http://127.0.0.1:65002/" } });
    await refused("DELETE", "/api/mcp-servers?slug=github");
    await refused("PATCH", ci, { name: "Other" });
    await refused("DELETE", ci);
    const client = { clientId: "ci", clientSecret: "fake", tokenUrl: "http://127.0.0.1:65001/token" };
    const setClient = ci.replace("/api/users", "/api/users/client-credentials");
    await refused("PUT", setClient, { client_credentials: client });
    await refused("DELETE", "/api/groups?name=engineering");
    await refused("PATCH", "/api/groups/ENGINEERING/integrations?slug=github", { tools: ["search"] });
    await refused("POST", "/api/groups/Engineering/toolkits", { slugs: ["triage"] });
    await refused("DELETE", `/api/groups?name=${encodeURIComponent("\uff25ngineering")}`);
    await refused("PATCH", `/api/users?email=${encodeURIComponent("\uff23I@machine.example.com")}`, { name: "Other" });
    await refused("POST", "/api/skills/import?overwrite=true", { skill_md: SKILL });
    await refused("POST", `/api/access-requests/${request}/approve`, { group: "engineering", grant: true });
    await refused("PATCH", `/api/webhooks?id=${webhook}`, { enabled: true });
    await refused("DELETE", `/api/webhooks?id=${webhook}`);
    await refused("PATCH", `/api/log-destinations?id=${destination}`, { enabled: true });
    await refused("DELETE", `/api/log-destinations?id=${destination}`);
    const rule = { name: "Rule", kind: "skill", action: "block", match: { managed: false } };
    await refused("POST", "/api/ai-discovery-policy/rules", rule);
    assert.deepEqual(await api.everything(), unchanged);
  });

  it("can be changed where files declare nothing", async () => {
    await allowed("PATCH", "/api/settings", { call_log_retention_days: 30 });
    await allowed("POST", "/api/groups/Engineering/users", { emails: ["ada@example.com"] });
    await allowed("PATCH", "/api/groups?name=Engineering", { settings: { show_draft_mcps: true } });
    await allowed("PATCH", "/api/mcp-servers?slug=github", { tool_policy: "hold" });
    await allowed("POST", "/api/groups", { name: "Others" });
    await allowed("POST", `/api/access-requests/${request}/approve`, { group: "Others", grant: true });
    await allowed("POST", `/api/users/rotate-secret?email=ci%40machine.example.com`, {});
  });

  it("can be changed after a release, until the next apply", async () => {
    const audit = await api.auditOf(() =>
      allowed("POST", "/api/config/release", { kind: "groups", key: "engineering" }),
    );
    assert.deepEqual(
      audit.map(({ operation }) => operation),
      ["releaseFromFiles"],
    );
    await allowed("DELETE", "/api/groups?name=Engineering");
    const again = { error: "No such object is managed by files" };
    await api.expect(404, again, "POST", "/api/config/release", { kind: "groups", key: "Engineering" });
    await allowed("POST", "/api/config/apply", { config: CONFIG });
    await refused("DELETE", "/api/groups?name=Engineering");
  });

  it("are not locked by names that no operation has", () => {
    const ids = operations.map(({ id }) => id);
    assert.deepEqual(
      LOCKED_OPERATIONS.filter((id) => !ids.includes(id)),
      [],
    );
    const undocumented = operations.filter(
      ({ id, refusals }) => LOCKED_OPERATIONS.includes(id) && !refusals.includes(409),
    );
    assert.deepEqual(undocumented, []);
  });
});
