import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { emptyHome, type FakeHome, write } from "./fake-home.ts";
import { type FakeService, policyWith, startService } from "./fake-service.ts";
import { runCli } from "./run-cli.ts";

let fake: FakeHome;
let service: FakeService;

beforeEach(async () => {
  fake = emptyHome();
  service = await startService(policyWith([{ match: { host: ["*.evil.example"] } }]));
});
afterEach(async () => {
  await service.close();
  rmSync(fake.root, { recursive: true, force: true });
});

describe("the preview of enforcement", () => {
  it("prints no value and no comment of the removed lines", async () => {
    const entry = '"evil": {\n"url": "https://a.evil.example", // old token canary\n"env": { "PIN": 987654321 } }';
    write(join(fake.home, ".cursor/mcp.json"), `{ "mcpServers": { "good": {},\n${entry} } }\n`);
    const table = '[mcp_servers.evil]\nurl = "https://a.evil.example"\n[mcp_servers.evil.env]\n';
    const secrets = 'K = """\ncanary swordfish\n"""\nPIN = 987654321 # canary\n';
    write(join(fake.home, ".codex/config.toml"), table + secrets);
    const { stdout } = await runCli(
      ["enforce", "--dry-run", "--home", fake.home, "--platform", "linux", "--state-dir", fake.state],
      { GATEHOUSE_URL: service.url, GATEHOUSE_SCAN_TOKEN: "scan-token" },
    );
    assert.ok(!/canary|swordfish|987/.test(stdout), stdout);
    assert.match(stdout, /^-PIN = \[REDACTED\] # \[REDACTED\]$/m);
    assert.match(stdout, /^-"url": "https:\/\/a\.evil\.example", \/\/ \[REDACTED\]$/m);
  });
});
