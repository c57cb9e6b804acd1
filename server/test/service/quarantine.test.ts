/** Items in quarantine on a device, and a real service that knows more about them than the device. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { after, afterEach, before, it } from "node:test";
import { onSqlite } from "#test/databases";
import { DeviceAgent } from "#test/device-agent";
import { type Service, startService } from "#test/start-service";

const CONFIG = '{"mcpServers":{"flap":{"url":"https://flap.example/mcp"}}}';
const SKILL = "---\nname: notes\ndescription: Writes notes\n---\nWrite notes.\n";
const ROUNDS = 3;

onSqlite("items in quarantine", (open) => {
  let service: Service;
  let device: DeviceAgent;
  before(async () => {
    service = await startService(await open());
    await policy({ enforcement: "enforce", default_actions: { mcp_servers: "allow", skills: "allow" } });
  });
  after(() => service?.close());
  afterEach(() => device.remove());

  const api = async (method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: object) => {
    const answer = await service.api(method, `/api${path}`, body);
    assert.ok(answer.status < 300, answer.text);
    return answer.body.data;
  };
  const policy = (changes: object) => api("PATCH", "/ai-discovery-policy", changes);
  const onlyRules = async (...rules: object[]) => {
    for (const { id } of await api("GET", "/ai-discovery-policy/rules"))
      await api("DELETE", `/ai-discovery-policy/rules?id=${id}`);
    for (const rule of rules) await api("POST", "/ai-discovery-policy/rules", { name: "Rule", ...rule });
  };
  const enforce = async () => (await device.run("enforce")).output.trim();
  const round = async () => {
    await device.run("report");
    return enforce();
  };
  const openViolations = () => api("GET", "/ai-discovery/violations?status=open");

  const RULES: [string, object][] = [
    ["its review", { review_status: ["rejected"] }],
    ["the registered servers", { registered: false }],
    ["the registry", { in_registry: false }],
  ];
  for (const [what, match] of RULES)
    it(`stay there while a rule about ${what} blocks them, and are shown as quarantined`, async () => {
      device = await DeviceAgent.start(service);
      device.write(".cursor/mcp.json", CONFIG);
      await onlyRules();
      await device.run("report");
      const [item] = await api("GET", "/ai-discovery/mcp-servers?search=flap");
      await api("PATCH", `/ai-discovery/mcp-servers?fingerprint=${item.fingerprint}`, { review_status: "rejected" });
      await onlyRules({ kind: "mcp_server", action: "block", match });
      const outputs = [];
      for (let count = 0; count < ROUNDS; count++) outputs.push(await round());
      assert.match(outputs[0] ?? "", /^quarantined +mcp_server flap/);
      assert.deepEqual(outputs.slice(1), ["", ""]);
      await device.run("report");
      const [violation] = await openViolations();
      assert.deepEqual([violation.name, violation.quarantined], ["flap", true]);
      const { instances } = await api("GET", `/ai-discovery/mcp-servers/${item.fingerprint}`);
      assert.deepEqual(
        instances.map(({ quarantined, removed_at }: Record<string, unknown>) => [quarantined, removed_at]),
        [[true, null]],
      );
      await onlyRules();
      assert.match(await enforce(), /^restored/);
      assert.equal(readFileSync(device.pathOf(".cursor/mcp.json"), "utf8"), CONFIG);
      await device.run("report");
      const [present] = (await api("GET", `/ai-discovery/mcp-servers/${item.fingerprint}`)).instances;
      assert.equal(present.quarantined, undefined);
    });

  it("are restored after an admin approves them, also if they were never reported before", async () => {
    device = await DeviceAgent.start(service);
    device.write(".cursor/mcp.json", CONFIG.replaceAll("flap", "wiki"));
    await onlyRules(
      { kind: "mcp_server", action: "allow", match: { review_status: ["approved"] } },
      { kind: "mcp_server", action: "block", match: { name: ["wiki"] } },
    );
    assert.match(await enforce(), /^quarantined/);
    await device.run("report");
    const [item] = await api("GET", "/ai-discovery/mcp-servers?search=wiki");
    await api("PATCH", `/ai-discovery/mcp-servers?fingerprint=${item.fingerprint}`, { review_status: "approved" });
    assert.match(await round(), /^restored/);
    for (let count = 1; count < ROUNDS; count++) assert.equal(await round(), "");
    assert.deepEqual(await openViolations(), []);
  });

  it("are restored when a skill becomes one of the organization", async () => {
    device = await DeviceAgent.start(service);
    device.write(".claude/skills/notes/SKILL.md", SKILL);
    const path = device.pathOf(".claude/skills/notes");
    await onlyRules({ kind: "skill", action: "block", match: { name: ["notes"] } });
    assert.match(await round(), /^quarantined +skill notes/);
    assert.equal(await round(), "");
    await api("POST", "/skills/import", { skill_md: SKILL });
    assert.match(await round(), /^restored +skill notes/);
    assert.ok(existsSync(path));
    for (let count = 2; count < ROUNDS; count++) assert.equal(await round(), "");
  });
});
