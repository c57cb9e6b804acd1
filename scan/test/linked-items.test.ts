import assert from "node:assert/strict";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { CONFIG, EnforcedDevice } from "./enforced-device.ts";
import { write } from "./fake-home.ts";
import { policyWith } from "./fake-service.ts";

const OTHER = '{ "mcpServers": {} }\n';
const SKILL = "---\nname: bad\ndescription: x\n---\n";

describe("items behind links", () => {
  const device = new EnforcedDevice();
  const inHome = (path: string) => join(device.fake.home, path);
  const link = (target: string, path: string) => {
    rmSync(path, { recursive: true, force: true });
    symlinkSync(target, path);
  };
  const blockSkill = () => {
    device.service.policy = policyWith([{ kind: "skill", match: { name: ["bad"] } }]);
  };

  it("restores an entry to the file that had it, if the link names another file now", async () => {
    const work = write(inHome("profiles/work.json"), CONFIG);
    const other = write(inHome("profiles/private.json"), OTHER);
    link("../profiles/work.json", device.config);
    await device.run("enforce");
    link("../profiles/private.json", device.config);
    assert.ok(!readFileSync(work, "utf8").includes("evil"));
    device.allowAll();
    assert.deepEqual(
      (await device.enforce()).map(({ result }) => result),
      ["restored"],
    );
    assert.equal(readFileSync(work, "utf8"), CONFIG);
    assert.equal(readFileSync(other, "utf8"), OTHER);
  });

  it("keeps the entries of both files that a link named in quarantine", async () => {
    const work = write(inHome("profiles/work.json"), CONFIG);
    const other = write(inHome("profiles/private.json"), CONFIG.replace("canary", "private"));
    for (const name of ["work", "private"]) {
      link(`../profiles/${name}.json`, device.config);
      await device.run("enforce");
    }
    assert.equal((await device.run("restore", "--all")).code, 0);
    assert.equal(readFileSync(work, "utf8"), CONFIG);
    assert.equal(readFileSync(other, "utf8"), CONFIG.replace("canary", "private"));
  });

  it("restores records of earlier versions, and those of a home folder that was moved", async () => {
    await device.run("enforce");
    const folder = join(device.fake.state, "quarantine");
    const [name = ""] = readdirSync(folder);
    const { real_path, ...record } = JSON.parse(readFileSync(join(folder, name), "utf8"));
    assert.equal(real_path, device.config);
    writeFileSync(join(folder, name), JSON.stringify(record));
    const moved = join(device.fake.root, "moved");
    renameSync(device.fake.home, moved);
    symlinkSync(moved, device.fake.home);
    assert.equal((await device.run("restore", "--all")).code, 0);
    assert.ok(readFileSync(device.config, "utf8").includes("evil"));
    await device.run("enforce");
    rmSync(device.fake.home);
    renameSync(moved, device.fake.home);
    assert.equal((await device.run("restore", "--all")).code, 0);
    assert.ok(readFileSync(device.config, "utf8").includes("evil"));
  });

  it("moves a skill once that several clients read through links, and restores it to its folder", async () => {
    blockSkill();
    const skill = inHome(".agents/skills/bad");
    write(join(skill, "SKILL.md"), SKILL);
    for (const client of [".claude", ".codex"]) {
      mkdirSync(inHome(client));
      link("../.agents/skills", inHome(`${client}/skills`));
    }
    assert.deepEqual(
      (await device.enforce()).map(({ name, result, reason, count }) => [name, result, reason, count]),
      Array.from({ length: 3 }, () => ["bad", "quarantined", undefined, 1]),
    );
    assert.ok(!existsSync(skill));
    await device.run("report");
    const reported = device.service.reports[0]?.skills.map(({ client, quarantined }) => [client, quarantined]);
    assert.deepEqual(reported?.sort(), [
      ["agents", true],
      ["claude-code", true],
      ["codex", true],
    ]);
    mkdirSync(inHome("other"));
    link("../other", inHome(".claude/skills"));
    device.allowAll();
    assert.deepEqual(
      (await device.enforce()).map(({ result }) => result),
      ["restored", "restored", "restored"],
    );
    assert.equal(readFileSync(join(skill, "SKILL.md"), "utf8"), SKILL);
    assert.deepEqual(readdirSync(inHome("other")), []);
    assert.ok(lstatSync(inHome(".codex/skills")).isSymbolicLink());
  });
});
