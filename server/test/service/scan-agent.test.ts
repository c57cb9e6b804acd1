/** The scan agent as a process on a device, and a real service. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, it } from "node:test";
import { forEachDatabase } from "#test/databases";
import { DeviceAgent } from "#test/device-agent";
import { type Service, startService } from "#test/start-service";

const CONFIG = `{
  // servers of our team
  "mcpServers": {
    "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem"] }, // keep
    "evil": { "url": "https://a.evil.example/mcp?key=canary", "headers": { "Authorization": "Bearer canary" } },
  },
}
`;
const SKILLS = 30;
/** Together more than one report can have. */
const WORDS_PER_SKILL = 30_000;

forEachDatabase("the scan agent and the service", (open) => {
  let service: Service;
  let device: DeviceAgent;
  before(async () => {
    service = await startService(await open());
    device = await DeviceAgent.start(service);
    write(".cursor/mcp.json", CONFIG);
  });
  after(async () => {
    await service?.close();
    device?.remove();
  });

  const pathOf = (path: string) => device.pathOf(path);
  const write = (path: string, text: string) => device.write(path, text);
  const agent = (...args: string[]) => device.run(...args);
  const list = async (kind: string) => {
    const { status, body, text } = await service.api("GET", `/api/ai-discovery/${kind}`);
    assert.equal(status, 200, text);
    return body.data;
  };
  const actions = async () =>
    Object.fromEntries(
      (await list("mcp-servers")).map((each: { name: string; action: string }) => [each.name, each.action]),
    );
  const rule = async (name: string, action: string, match: object) => {
    const { status, body, text } = await service.api("POST", "/api/ai-discovery-policy/rules", {
      ...{ name, action, match, kind: "mcp_server" },
    });
    assert.equal(status, 201, text);
    return body.data.id as string;
  };

  it("reports, follows the order of the rules, quarantines, and restores", async () => {
    assert.equal((await agent("report")).code, 2);
    assert.deepEqual(await actions(), { files: "warn", evil: "warn" });
    const allow = await rule("Ours", "allow", { package: ["npm:@modelcontextprotocol/*"] });
    const block = await rule("Evil", "block", { host: ["*.evil.example"] });
    assert.deepEqual(await actions(), { files: "allow", evil: "block" });
    const enforce = { enforcement: "enforce" };
    assert.equal((await service.api("PATCH", "/api/ai-discovery-policy", enforce)).status, 200);
    assert.equal((await agent("enforce")).code, 3);
    const left = readFileSync(pathOf(".cursor/mcp.json"), "utf8");
    assert.equal(left.includes("evil.example"), false);
    assert.ok(left.includes("// servers of our team") && left.includes('"files"'));
    await agent("report");
    const { data } = (await service.api("GET", "/api/ai-discovery/violations?status=open&action=block")).body;
    assert.deepEqual(
      data.map(({ name, enforcement, quarantined }: Record<string, unknown>) => [name, enforcement, quarantined]),
      [["evil", "quarantined", true]],
    );
    const changed = await service.api("PATCH", `/api/ai-discovery-policy/rules?id=${block}`, { action: "allow" });
    assert.equal(changed.status, 200, changed.text);
    assert.equal((await agent("enforce")).code, 0);
    assert.equal(readFileSync(pathOf(".cursor/mcp.json"), "utf8"), CONFIG);
    for (const id of [allow, block]) await service.api("DELETE", `/api/ai-discovery-policy/rules?id=${id}`);
  });

  it("stores the texts of all skills, although they are larger than a report", async () => {
    const settings = await service.api("PATCH", "/api/settings", { discovery_skill_texts: true });
    assert.equal(settings.status, 200, settings.text);
    for (let n = 0; n < SKILLS; n++) {
      const text = `---\nname: skill-${n}\ndescription: Number ${n}\n---\n${`word${n} `.repeat(WORDS_PER_SKILL)}`;
      write(`.claude/skills/skill-${n}/SKILL.md`, text);
    }
    const { code, output } = await agent("report", "--include-content");
    assert.equal(code, 2, output);
    const skills = (await service.api("GET", "/api/ai-discovery/skills?limit=200")).body.data;
    assert.equal(skills.length, SKILLS);
    for (const { digest } of skills) {
      const imported = await service.api("POST", `/api/ai-discovery/skills/${digest}/import`, {});
      assert.equal(imported.status, 201, imported.text);
    }
    assert.equal((await list("mcp-servers")).length, 2);
  });

  it("removes what is gone from the device", async () => {
    write(".cursor/mcp.json", '{"mcpServers":{}}');
    assert.equal((await agent("report")).code, 0);
    assert.deepEqual(await list("mcp-servers"), []);
    const removed = await list("mcp-servers?include_removed=true");
    assert.deepEqual(removed.map(({ name }: { name: string }) => name).sort(), ["evil", "files"]);
  });
});
