import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { it } from "node:test";
import { forEachTarget } from "../kit/suite.ts";

forEachTarget("AI discovery", (api) => {
  it("lists what a device reports, decides about it, and imports a server [S2.9-ai-discovery S2.9-ai-discovery-policy]", async () => {
    const id = api.unique("device");
    const host = `${api.unique("host")}.example.com`;
    const place = { client: "cursor", scope: "user", config_path: "~/.cursor/mcp.json", enabled: true };
    const server = { name: id, transport: "http", url: `https://user:pw@${host}/mcp?key=x`, ...place };
    const report = {
      ...{ schema_version: 1, report_id: randomUUID(), scanned_at: new Date().toISOString(), full: true },
      ...{ device: { id, hostname: id, os: "linux", users: ["ada"] }, user: { username: "ada" } },
      ...{ mcp_servers: [server, { name: 7 }], skills: [], agent_memory: [], agents: [], errors: [], enforcement: [] },
    };
    const { data } = await api.body(200, "POST", "/api/ai-discovery/reports", report);
    assert.deepEqual([data.device_id, data.accepted.mcp_servers, data.rejected.length], [id, 1, 1]);
    const { data: found } = await api.body(200, "GET", `/api/ai-discovery/mcp-servers?device_id=${id}`);
    assert.deepEqual([found[0].url, found[0].managed, found[0].devices_count], [`https://${host}/mcp`, false, 1]);
    const rule = { name: id, kind: "mcp_server", action: "block", match: { host: [host] }, position: 1 };
    const { data: created } = await api.body(201, "POST", "/api/ai-discovery-policy/rules", rule);
    const decision = await api.body(200, "POST", "/api/ai-discovery-policy/evaluate", {
      item: { kind: "mcp_server", name: id, url: `https://${host}/mcp` },
    });
    assert.deepEqual([decision.data.action, decision.data.rule_id], ["block", created.id]);
    const { data: open } = await api.body(200, "GET", `/api/ai-discovery/violations?device_id=${id}&status=open`);
    assert.deepEqual([open.length, open[0].action], [1, "block"]);
    const path = `/api/ai-discovery/mcp-servers/${found[0].fingerprint}/import`;
    assert.equal((await api.call("POST", path)).status, 400);
    await api.body(200, "DELETE", `/api/ai-discovery-policy/rules?id=${created.id}`);
    const { data: imported } = await api.body(201, "POST", path);
    await api.body(200, "DELETE", `/api/mcp-servers?slug=${imported.slug}`);
    await api.body(200, "DELETE", `/api/ai-discovery/devices?id=${id}`);
  });
});
