import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import type { Report } from "#policy/types";
import { emptyHome, type FakeHome, write } from "./fake-home.ts";
import { type FakeService, policyWith, startService } from "./fake-service.ts";
import { runCli } from "./run-cli.ts";

const LIMIT_BYTES = 5 * 1024 * 1024;
const SKILLS = 30;
/** Together more than one report can have. */
const TEXT_LENGTH = 200_000;

let fake: FakeHome;
let service: FakeService;

/** Words that compress badly and look like no secret. */
function longText(): string {
  return (
    randomBytes(TEXT_LENGTH / 2)
      .toString("hex")
      .match(/.{6}/g) ?? []
  ).join(" ");
}

beforeEach(async () => {
  fake = emptyHome();
  service = await startService(policyWith([]));
  write(join(fake.home, ".cursor/mcp.json"), '{"mcpServers":{"good":{"command":"npx","args":["good"]}}}');
  for (let n = 0; n < SKILLS; n++) {
    const text = `---\nname: skill-${n}\n---\n${longText()}`;
    write(join(fake.home, `.claude/skills/skill-${n}/SKILL.md`), text);
    if (n === 0) write(join(fake.home, ".cursor/skills/skill-0/SKILL.md"), text);
  }
});
afterEach(async () => {
  await service.close();
  rmSync(fake.root, { recursive: true, force: true });
});

function run(command: string, ...args: string[]) {
  const env = { GATEHOUSE_URL: service.url, GATEHOUSE_SCAN_TOKEN: "scan-token" };
  const place = ["--home", fake.home, "--platform", "linux", "--state-dir", fake.state];
  return runCli([command, ...place, "--include-content", ...args], env);
}

function textsOf({ skills }: Report): string[] {
  return skills.flatMap(({ digest, content }) => (content === undefined ? [] : [digest]));
}

describe("texts of skills that are larger than a report", () => {
  it("follow the report in partial reports, each text once", async () => {
    const { code, stderr } = await run("report");
    assert.equal(code, 0, stderr);
    const [first, ...others] = service.reports;
    assert.ok(first && others.length > 1);
    assert.deepEqual([first.full, first.skills.length, first.mcp_servers.length], [true, SKILLS + 1, 1]);
    assert.deepEqual(textsOf(first), []);
    for (const report of service.reports) assert.ok(Buffer.byteLength(JSON.stringify(report)) <= LIMIT_BYTES);
    for (const { full, mcp_servers, device } of others) {
      assert.deepEqual([full, mcp_servers, device.id], [false, [], first.device.id]);
    }
    const sent = others.flatMap(textsOf);
    assert.deepEqual([sent.length, new Set(sent).size], [SKILLS, SKILLS]);
    assert.equal(new Set(service.reports.map(({ report_id }) => report_id)).size, service.reports.length);
  });

  it("are sent only if the service does not have them", async () => {
    await run("report");
    service.reports.splice(1, 1);
    const before = service.reports.length;
    const missing = SKILLS - service.reports.flatMap(textsOf).length;
    await run("report");
    assert.deepEqual(
      service.reports.slice(before).map((report) => textsOf(report).length),
      [0, missing],
    );
    await run("report");
    assert.equal(service.reports.length, before + 3);
  });

  it("are not sent if the service does not want them", async () => {
    service.wantsTexts = false;
    await run("report");
    assert.deepEqual([service.reports.length, service.reports.flatMap(textsOf)], [1, []]);
  });

  it("are requested again after a report that was kept while the service was not reachable", async () => {
    service.failWith = 503;
    assert.equal((await run("report")).code, 1);
    assert.equal(readdirSync(join(fake.state, "spool")).length, 1);
    service.failWith = undefined;
    assert.equal((await run("report")).code, 0);
    assert.equal(new Set(service.reports.flatMap(textsOf)).size, SKILLS);
  });

  it("are left out if a proxy accepts less, and the command says so", async () => {
    service.maxBytes = 100_000;
    const { code, stderr } = await run("report");
    assert.equal(code, 0, stderr);
    assert.match(stderr, /\(413\): too large\. The texts of \d+ skills are not sent\. If a proxy/);
    assert.deepEqual([service.reports[0]?.skills.length, service.reports.flatMap(textsOf)], [SKILLS + 1, []]);
  });

  it("are part of the printed report", async () => {
    const { stdout } = await run("scan", "--json");
    const report = JSON.parse(stdout) as Report;
    assert.deepEqual([report.full, textsOf(report).length], [true, SKILLS + 1]);
  });
});
