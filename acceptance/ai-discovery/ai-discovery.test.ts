import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
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

  it("imports a discovered skill as a draft if its text is accepted, and shows what a device enforced [S2.9-ai-discovery]", async () => {
    const id = api.unique("skill");
    const digest = `sha256:${createHash("sha256").update(id).digest("hex")}`;
    const content = `---\nname: ${id}\ndescription: For tests\n---\nDo it.\n`;
    const found = {
      name: id,
      client: "cursor",
      path: `~/.cursor/skills/${id}`,
      digest,
      files_count: 2,
      source: "user",
    };
    const send = (skills: object[], enforcement: object[] = []) =>
      api.body(200, "POST", "/api/ai-discovery/reports", {
        ...{ schema_version: 1, report_id: randomUUID(), scanned_at: new Date().toISOString(), full: true },
        ...{ device: { id, hostname: id, os: "linux", users: ["ada"] }, user: { username: "ada" } },
        ...{ mcp_servers: [], skills, agent_memory: [], agents: [], errors: [], enforcement },
      });
    await api.body(200, "PATCH", "/api/settings", { discovery_skill_texts: true });
    try {
      await send([{ ...found, content }]);
    } finally {
      await api.body(200, "PATCH", "/api/settings", { discovery_skill_texts: null });
    }
    const rule = { name: id, kind: "skill", action: "block", match: { digest: [digest] }, position: 1 };
    const { data: created } = await api.body(201, "POST", "/api/ai-discovery-policy/rules", rule);
    await send([found], [{ digest, client: "cursor", result: "failed", reason: "the folder is read-only" }]);
    const { data: open } = await api.body(200, "GET", `/api/ai-discovery/violations?device_id=${id}&status=open`);
    assert.deepEqual([open[0].action, open[0].enforcement], ["block", "failed: the folder is read-only"]);
    const path = `/api/ai-discovery/skills/${digest}/import`;
    assert.equal((await api.call("POST", path)).status, 400);
    await api.body(200, "DELETE", `/api/ai-discovery-policy/rules?id=${created.id}`);
    const imported = await api.body(201, "POST", path);
    assert.deepEqual([imported.data.slug, imported.warnings.length], [id, 1]);
    const { data: draft } = await api.body(200, "GET", `/api/skills/${id}`);
    assert.equal(draft.status, "draft");
    await api.body(200, "DELETE", `/api/skills?slug=${id}`);
    await api.body(200, "DELETE", `/api/ai-discovery/devices?id=${id}`);
  });
});
