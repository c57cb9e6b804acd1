import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Report } from "#policy/types";
import { VERSION } from "../src/version.ts";
import { emptyHome, type FakeHome, write } from "./fake-home.ts";
import { runCli } from "./run-cli.ts";

/** Node 20, where the system has it; otherwise the Node of the tests. */
const SYSTEM_NODE = existsSync("/usr/bin/node") ? "/usr/bin/node" : process.execPath;

describe("the bundle", () => {
  let fake: FakeHome;
  let dist: string;
  before(async () => {
    fake = emptyHome();
    dist = join(fake.root, "dist");
    const { buildScan } = (await import("../../tooling/build-scan.mjs" as string)) as {
      buildScan(options: object): Promise<void>;
    };
    await buildScan({ dist, executable: process.platform === "linux" });
  });
  after(() => rmSync(fake.root, { recursive: true, force: true }));

  it("is one file that imports only modules of Node", () => {
    const text = readFileSync(join(dist, "gatehouse-scan.mjs"), "utf8");
    const imported = [
      ...text.matchAll(/^import\s[^"']*["']([^"']+)["']|\brequire\(["']([^"']+)["']\)|\bimport\(["']([^"']+)["']\)/gm),
    ];
    const names = imported.map(([, one, two, three]) => one ?? two ?? three ?? "");
    assert.ok(names.length > 5);
    assert.deepEqual(
      names.filter((name) => !name.startsWith("node:")),
      [],
    );
    const manifest = JSON.parse(readFileSync(join(dist, "gatehouse-scan.json"), "utf8")) as {
      sha256: string;
      version: string;
    };
    assert.equal(manifest.sha256, createHash("sha256").update(text).digest("hex"));
  });

  it("scans without any other file", async () => {
    write(join(fake.home, ".codex/config.toml"), '[mcp_servers.a]\ncommand = "npx"\nargs = ["a"]\n');
    write(join(fake.home, ".config/goose/config.yaml"), "extensions:\n  b: {cmd: uvx, args: [b]}\n");
    write(join(fake.home, ".cursor/mcp.json"), '{"mcpServers":{"c":{"url":"https://c.example"},},} // jsonc');
    const args = ["scan", "--json", "--home", fake.home, "--platform", "linux"];
    const { stdout, stderr } = await runCli(args, {}, [SYSTEM_NODE, join(dist, "gatehouse-scan.mjs")]);
    const report = JSON.parse(stdout || stderr) as Report;
    assert.deepEqual(report.mcp_servers.map(({ name }) => name).sort(), ["a", "b", "c"]);
  });

  it("runs as a single executable without Node on Linux", async () => {
    if (process.platform !== "linux") return;
    const { stdout, code } = await runCli(["version"], { PATH: "" }, [join(dist, "gatehouse-scan")]);
    assert.deepEqual([code, stdout.trim()], [0, VERSION]);
  });

  it("contains the templates for device management, without a token", () => {
    for (const file of [
      "gatehouse-scan.mobileconfig",
      "gatehouse-scan.reg",
      "gatehouse-scan.service",
      "com.gatehouse.scan.plist",
      "config.json",
    ]) {
      assert.match(readFileSync(join(dist, "mdm", file), "utf8"), /\{\{GATEHOUSE_URL\}\}/);
    }
  });
});
