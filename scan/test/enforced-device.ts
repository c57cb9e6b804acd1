import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach } from "node:test";
import { emptyHome, type FakeHome, write } from "./fake-home.ts";
import { type FakeService, policyWith, startService } from "./fake-service.ts";
import { type CliResult, MAIN, runCli } from "./run-cli.ts";

const SHORT_WAITS = new URL("short-waits.ts", import.meta.url).href;

/** A rule that blocks the server `evil` of `CONFIG`. */
export const EVIL = { match: { host: ["*.evil.example"] } };
export const CONFIG = `{
  // servers of our team
  "mcpServers": {
    "good": { "command": "npx", "args": ["-y", "good"] }, // keep
    /* added by mistake */
    "evil": {
      "url": "https://a.evil.example/mcp?key=canary",
      "headers": { "Authorization": "Bearer canary" },
    },
  },
}
`;

/** A device whose policy blocks a server of Cursor, and the service that sends the policy. New for each test. */
export class EnforcedDevice {
  fake!: FakeHome;
  service!: FakeService;
  /** The path of the configuration file. */
  config = "";

  constructor() {
    beforeEach(async () => {
      this.fake = emptyHome();
      this.config = write(join(this.fake.home, ".cursor/mcp.json"), CONFIG);
      this.service = await startService(policyWith([EVIL]));
    });
    afterEach(async () => {
      await this.service.close();
      rmSync(this.fake.root, { recursive: true, force: true });
    });
  }

  run(command: string, ...args: string[]): Promise<CliResult> {
    const env = { GATEHOUSE_URL: this.service.url, GATEHOUSE_SCAN_TOKEN: "scan-token" };
    const place = ["--home", this.fake.home, "--platform", "linux", "--state-dir", this.fake.state];
    return runCli([command, ...place, ...args], env, [process.execPath, "--import", SHORT_WAITS, MAIN]);
  }

  async enforce(...args: string[]): Promise<{ name: string; result: string; reason?: string; count?: number }[]> {
    const { stdout, stderr } = await this.run("enforce", "--json", ...args);
    assert.ok(stdout.startsWith("["), stderr);
    return JSON.parse(stdout);
  }

  allowAll(): void {
    this.service.policy = policyWith([], { version: this.service.policy.version + 1 });
  }
}
