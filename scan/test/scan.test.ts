import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { after, describe, it } from "node:test";
import { PLATFORMS, type Report } from "#policy/types";
import { CONFIGS, PROJECT_CONFIGS } from "../src/tables/mcp-configs.ts";
import { pathsFor } from "../src/tables/roots.ts";
import { CANARY, type FakeHome, fullHome } from "./fake-home.ts";
import { MAIN, runCli, scanHome } from "./run-cli.ts";

const homes: FakeHome[] = [];
after(() => {
  for (const { root } of homes) rmSync(root, { recursive: true, force: true });
});

/** Parts that differ between devices and runs are replaced. `UPDATE_SNAPSHOTS=1` writes the files again. */
function assertSnapshot(name: string, report: Report, { root }: FakeHome): void {
  const stable = {
    ...report,
    report_id: "",
    scanned_at: "",
    device: {
      ...report.device,
      id: "",
      hostname: "",
      os_version: "",
      arch: "",
      serial_hash: null,
      is_wsl: false,
      is_container: false,
    },
    agent_memory: report.agent_memory.map((memory) => ({ ...memory, modified_at: "" })),
  };
  const lines = Object.entries(stable).flatMap(([key, value]) =>
    Array.isArray(value) ? value.map((each) => `${key} ${JSON.stringify(each)}`) : [`${key} ${JSON.stringify(value)}`],
  );
  const text = `${lines.join("\n").replaceAll(root, "<root>")}\n`;
  const file = new URL(`snapshots/${name}.txt`, import.meta.url);
  if (process.env.UPDATE_SNAPSHOTS === "1") writeFileSync(file, text);
  assert.deepEqual(text.split("\n"), readFileSync(file, "utf8").split("\n"));
}

describe("a scan of a home with every client", () => {
  for (const platform of PLATFORMS) {
    it(`finds all of them on ${platform} and reports no secret`, async () => {
      const fake = fullHome(platform);
      homes.push(fake);
      const report = await scanHome(fake, "--platform", platform);
      assert.deepEqual(report.errors, []);
      const found = new Set(report.mcp_servers.map(({ client }) => client));
      const expected = [...CONFIGS.filter(({ paths }) => pathsFor(paths, platform).length > 0), ...PROJECT_CONFIGS];
      assert.deepEqual(
        expected.map(({ client }) => client).filter((client) => !found.has(client)),
        [],
      );
      const text = JSON.stringify(report);
      assert.equal(text.toLowerCase().indexOf(CANARY), -1, text.slice(text.toLowerCase().indexOf(CANARY) - 200, 200));
      assertSnapshot(platform, report, fake);
    });
  }

  it("does not read system-wide files of another home without --system", async () => {
    const fake = fullHome("linux");
    homes.push(fake);
    const result = await runCli(["scan", "--json", "--home", fake.home, "--state-dir", fake.state]);
    const report = JSON.parse(result.stdout) as Report;
    assert.deepEqual(
      report.mcp_servers.filter(({ scope }) => scope === "managed"),
      [],
    );
  });

  it("sends contents only with --include-content, and then without recognizable secrets", async () => {
    const fake = fullHome("linux");
    homes.push(fake);
    const without = await scanHome(fake);
    assert.ok(without.skills.every((skill) => !("content" in skill)));
    const included = await scanHome(fake, "--include-content");
    assert.ok(included.skills.every(({ content }) => content?.includes("Use ")));
    assert.ok(included.agent_memory.every((file) => !("content" in file)));
    assert.ok(!JSON.stringify(included).includes("sk-ant-api03"));
  });
});

describe("the command line", () => {
  it("rejects wrong usage with 64", async () => {
    for (const args of [
      ["nothing"],
      ["scan", "--platform", "beos"],
      ["scan", "--nonsense"],
      ["scan", "extra"],
      ["daemon", "--interval", "x"],
    ]) {
      assert.equal((await runCli(args)).code, 64, args.join(" "));
    }
  });

  it("names an unknown option in one line", async () => {
    const { stderr } = await runCli(["scan", "--nonsense"]);
    assert.equal(stderr, "gatehouse-scan: Unknown option '--nonsense'. Run gatehouse-scan help.\n");
  });

  it("ends normally if the reader of a pipe closed it, and reports a full disk in one line", async () => {
    const child = spawn(process.execPath, [MAIN, "paths"], { stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.destroy();
    const ended = once(child, "close");
    assert.deepEqual([await text(child.stderr), (await ended)[0]], ["", 0]);
    const full = await runCli(["-c", `"${process.execPath}" "${MAIN}" paths > /dev/full`], {}, ["/bin/sh"]);
    assert.deepEqual(
      [full.code, full.stderr],
      [1, "gatehouse-scan: Cannot write the output: ENOSPC: no space left on device, write\n"],
    );
  });

  it("lists the paths of another system", async () => {
    const { stdout, code } = await runCli(["paths", "--platform", "win32"]);
    assert.equal(code, 0);
    assert.match(stdout, /claude-desktop\s+%APPDATA%\/Claude\/claude_desktop_config\.json/);
  });

  it("refuses to send a token without TLS", async () => {
    const { code, stderr } = await runCli(["report", "--home", "/tmp"], {
      GATEHOUSE_URL: "http://gw.example.com",
      GATEHOUSE_SCAN_TOKEN: "t",
    });
    assert.equal(code, 64);
    assert.match(stderr, /must start with https/);
  });
});
