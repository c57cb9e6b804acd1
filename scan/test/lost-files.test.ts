import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { CONFIG, EnforcedDevice } from "./enforced-device.ts";
import { write } from "./fake-home.ts";
import { policyWith } from "./fake-service.ts";

describe("quarantined items whose file is gone", () => {
  const device = new EnforcedDevice();
  const ids = async () => (await device.run("restore")).stdout.match(/^[0-9a-f]{32}/gm) ?? [];

  it("are reported once while the failure does not change", async () => {
    await device.run("enforce");
    rmSync(dirname(device.config), { recursive: true });
    device.allowAll();
    for (let run = 0; run < 3; run++) {
      const [result] = await device.enforce();
      assert.equal(result?.reason, "the file is missing");
      await device.run("report");
    }
    const reported = device.service.reports.map(({ enforcement }) => enforcement?.map(({ result }) => result));
    assert.deepEqual(reported, [["quarantined", "failed"], undefined, undefined]);
    write(device.config, "{}");
    await device.enforce();
    await device.run("report");
    assert.deepEqual(
      device.service.reports.at(-1)?.enforcement?.map(({ result }) => result),
      ["restored"],
    );
  });

  it("are restored by their ID into a new file", async () => {
    const toml = write(
      join(device.fake.home, ".codex/config.toml"),
      '[mcp_servers.evil]\nurl = "https://a.evil.example"\n',
    );
    const original = readFileSync(toml, "utf8");
    await device.run("enforce");
    for (const path of [device.config, toml]) rmSync(dirname(path), { recursive: true });
    assert.equal((await device.run("restore", "--all")).code, 1);
    assert.ok(!existsSync(dirname(toml)));
    assert.equal((await device.run("restore", ...(await ids()))).code, 0);
    assert.equal(readFileSync(toml, "utf8"), original);
    const { mcpServers } = JSON.parse(readFileSync(device.config, "utf8").replace(/,(\s*\})/g, "$1"));
    assert.equal(mcpServers.evil.headers.Authorization, "Bearer canary");
    assert.equal(statSync(device.config).mode & 0o777, 0o600);
    assert.deepEqual(await ids(), []);
  });

  it("are not restored into a home folder that is gone", async () => {
    await device.run("enforce");
    rmSync(device.fake.home, { recursive: true });
    const { code } = await device.run("restore", ...(await ids()));
    assert.equal(code, 1);
    assert.ok(!existsSync(device.fake.home));
    assert.equal((await device.run("restore", "--forget", ...(await ids()))).code, 0);
    assert.deepEqual(await ids(), []);
  });

  it("are dropped with --forget, and stay dropped when others of the file are restored", async () => {
    const skill = write(join(device.fake.home, ".claude/skills/bad/SKILL.md"), "---\nname: bad\n---\n");
    const rules = [{ match: { host: ["*.evil.example"] } }, { kind: "skill" as const, match: { name: ["bad"] } }];
    device.service.policy = policyWith(rules, { version: 2 });
    writeFileSync(
      device.config,
      CONFIG.replace('"good": {', '"worse": { "url": "https://b.evil.example" }, "good": {'),
    );
    await device.run("enforce");
    const listed = (await device.run("restore")).stdout.trim().split("\n");
    const forgotten = listed.filter((line) => !line.includes(" worse ")).map((line) => line.split(" ")[0] ?? "");
    assert.equal((await device.run("restore", "--forget")).code, 64);
    const { stdout } = await device.run("restore", "--forget", ...forgotten);
    assert.deepEqual(stdout.trim().split("\n").sort(), ["forgotten  bad", "forgotten  evil"]);
    assert.equal((await device.run("restore", "--all")).code, 0);
    const text = readFileSync(device.config, "utf8");
    assert.ok(text.includes('"worse"') && !text.includes('"evil"') && !existsSync(skill));
  });
});
