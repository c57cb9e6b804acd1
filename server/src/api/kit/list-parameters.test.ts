import assert from "node:assert/strict";
import { before, it } from "node:test";
import { operations } from "#api/operations";
import { forEachApi } from "#test/api";
import { createGroup, createPerson, createServer } from "#test/factories";
import type { Operation } from "./operation.ts";
import { limitParameter } from "./parameters.ts";
import { routeOf } from "./router.ts";

/** Parameters that a list requires. */
const NEEDED: Readonly<Record<string, string>> = {
  listAccess: "email=ada@example.com",
  listCallers: "server=standing",
  listUserMcpServers: "email=ada@example.com",
};

/** D9, API-5: every list follows the same rules. */
forEachApi("list parameters", (api) => {
  const lists = operations.filter(
    (operation) => operation.query?.limit === limitParameter && operation.callers === undefined,
  );
  const addressOf = (operation: Operation) => `${filled(routeOf(operation).url)}?${NEEDED[operation.id] ?? ""}`;
  const filled = (url: string) =>
    url
      .replace("{slug}", "standing")
      .replace("{name}", "Readers")
      .replace("{id}", url.includes("/sessions/") ? sessionId : webhookId);
  let webhookId = "";
  let sessionId = "";
  before(async () => {
    const webhook = { name: "Standing", url: "https://hooks.example.com", events: ["guard.blocked"] };
    webhookId = (await api.call("POST", "/api/webhooks", webhook)).body.data.id;
    await createPerson(api.service, "Ada", "ada@example.com");
    await createServer(api.service, "Standing");
    await createGroup(api.service, "Readers");
    await api.call("POST", "/api/commands", { name: "standing", content: "Stand" });
    await api.call("POST", "/api/skills", { name: "standing", description: "Standing", content: "Stand" });
    await api.call("POST", "/api/plugins", { name: "standing" });
    const agent = { name: "standing", instructions: "x", model: "x", provider: { type: "scripted" }, status: "active" };
    await api.call("POST", "/api/background-agents", agent);
    const session = { input: "x", wait_seconds: 30 };
    sessionId = (await api.call("POST", "/api/background-agents/standing/invoke", session)).body.data.id;
  });

  it("finds lists to test", () => {
    assert.deepEqual(
      lists.map((operation) => operation.id),
      [
        "listMcpServers",
        "listToolChanges",
        "listMcpServerConnections",
        "listConnectors",
        "listGroups",
        "listGroupIntegrations",
        "listToolkits",
        "listSkills",
        "listSkillVersions",
        "listCommands",
        "listPlugins",
        "listPluginReleases",
        "listBackgroundAgents",
        "listAgentSessions",
        "listAgentSteps",
        "listGuards",
        "listApprovals",
        "listExchangeProviders",
        "listExchangeCredentials",
        "listDiscoveredMcpServers",
        "listDiscoveredSkills",
        "listDiscoveredAgentMemory",
        "listDiscoveredAgents",
        "listDiscoveryDevices",
        "listDiscoveryViolations",
        "listDiscoveryRules",
        "listDiscoveryPolicyHistory",
        "listUsers",
        "listAccess",
        "listCallers",
        "listGrants",
        "listAccessRequests",
        "listUserMcpServers",
        "listApiTokens",
        "listWebhooks",
        "listWebhookDeliveries",
        "listEmails",
        "listLogs",
        "tailLogs",
        "listLogDestinations",
        "listAudit",
      ],
    );
  });

  it("accepts a limit of 1 to 200 and defaults to 100", async () => {
    for (const operation of lists) {
      const url = addressOf(operation);
      for (const limit of [0, -1, 201, 1_000_000_000]) {
        await api.invalid("limit: must be between 1 and 200", "GET", `${url}&limit=${limit}`);
      }
      for (const limit of ["", "1.5", "1e2", "NaN", "ten", "+1", "0x10", "9".repeat(20), "%201", "[]"]) {
        await api.invalid("limit: must be an integer", "GET", `${url}&limit=${encodeURIComponent(limit)}`);
      }
      await api.invalid("limit: must be given once", "GET", `${url}&limit=1&limit=1`);
      assert.equal((await api.call("GET", url)).body.pagination.limit, 100);
      assert.equal((await api.call("GET", `${url}&limit=200`)).body.pagination.limit, 200);
    }
  });

  it("accepts an offset of 0 or more, and returns nothing beyond the end", async () => {
    for (const operation of lists) {
      const name = ["skip", "cursor"].find((each) => operation.query?.[each]?.document.type === "integer");
      if (name === undefined) continue;
      const url = addressOf(operation);
      for (const value of ["-1", "1.5", "x", "", "9".repeat(20)]) {
        await api.invalid(`${name}: must be an integer of at least 0`, "GET", `${url}&${name}=${value}`);
      }
      await api.invalid(`${name}: must be given once`, "GET", `${url}&${name}=0&${name}=1`);
      const far = await api.call("GET", `${url}&${name}=9007199254740000`);
      assert.deepEqual([far.status, far.body.data, far.body.pagination.hasMore], [200, [], false]);
    }
  });

  it("searches for any text without NUL, returns everything for an empty search, and ignores unknown parameters", async () => {
    for (const operation of lists) {
      const url = addressOf(operation);
      const all = (await api.call("GET", url)).body;
      assert.deepEqual((await api.call("GET", `${url}&search=&unknown=1&unknown=2`)).body.data, all.data);
      if (!operation.query?.search) continue;
      await api.invalid("search: must be well-formed text without NUL characters", "GET", `${url}&search=a%00b`);
      for (const text of ["%ff", "'; drop table users; --", "%25", "(", '"']) {
        assert.equal((await api.call("GET", `${url}&search=${text.replaceAll(" ", "+")}`)).status, 200, text);
      }
    }
  });
});
