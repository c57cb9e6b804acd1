import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { CONFIG, EnforcedDevice, EVIL } from "./enforced-device.ts";
import { write } from "./fake-home.ts";
import { policyWith } from "./fake-service.ts";

describe("monitor mode", () => {
  const device = new EnforcedDevice();

  it("changes nothing in monitor mode", async () => {
    device.service.policy = policyWith([EVIL], { enforcement: "monitor" });
    const { code, stdout } = await device.run("enforce");
    assert.equal(code, 3);
    assert.match(stdout, /block {2}MCP server evil \(cursor\)/);
    assert.equal(readFileSync(device.config, "utf8"), CONFIG);
  });

  it("restores everything when the policy changes to monitor mode, and reports it", async () => {
    device.service.policy = policyWith([EVIL, { kind: "skill", match: { name: ["bad"] } }]);
    write(join(device.fake.home, ".claude/skills/bad/SKILL.md"), "---\nname: bad\ndescription: x\n---\n");
    const system = join(device.fake.systemRoot, "etc/claude-code/managed-settings.d/50-gatehouse.json");
    await device.run("enforce", "--system-root", device.fake.systemRoot);
    assert.ok(existsSync(system) && readFileSync(device.config, "utf8") !== CONFIG);
    await device.run("report");
    device.service.policy = policyWith([EVIL], { enforcement: "monitor", version: 2 });
    const { code, stdout } = await device.run("enforce", "--system-root", device.fake.systemRoot);
    assert.equal(code, 3);
    assert.match(
      stdout,
      /^restored {5}mcp_server evil \(cursor\)\nrestored {5}skill bad .*\nremoved {6}managed settings/,
    );
    assert.match(stdout, /block {2}MCP server evil \(cursor\)/);
    assert.equal(readFileSync(device.config, "utf8"), CONFIG);
    assert.ok(existsSync(join(device.fake.home, ".claude/skills/bad/SKILL.md")) && !existsSync(system));
    await device.run("report");
    assert.deepEqual(
      device.service.reports.at(-1)?.enforcement?.map(({ result }) => result),
      ["restored", "restored"],
    );
  });

  it("changes nothing with a policy in monitor mode that is older than 7 days", async () => {
    await device.run("enforce");
    const edited = readFileSync(device.config, "utf8");
    const cached = join(device.fake.state, "policy.json");
    const confirmed_at = new Date(Date.now() - 8 * 86_400_000).toISOString();
    writeFileSync(cached, JSON.stringify({ policy: policyWith([EVIL], { enforcement: "monitor" }), confirmed_at }));
    device.service.failWith = 503;
    await device.run("enforce");
    assert.equal(readFileSync(device.config, "utf8"), edited);
  });

  it("shows with --dry-run what enforcement would do, also in monitor mode", async () => {
    device.service.policy = policyWith([EVIL], { enforcement: "monitor" });
    const { code, stdout } = await device.run("enforce", "--dry-run");
    assert.equal(code, 3);
    assert.match(stdout, /^The policy is in monitor mode/);
    assert.match(stdout, /^- {4}"evil": \{$/m);
    assert.equal(readFileSync(device.config, "utf8"), CONFIG);
  });
});
