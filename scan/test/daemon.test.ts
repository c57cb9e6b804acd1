import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { emptyHome, type FakeHome, write } from "./fake-home.ts";
import { type FakeService, policyWith, startService } from "./fake-service.ts";
import { MAIN } from "./run-cli.ts";

const EVIL = { match: { host: ["*.evil.example"] } };

let fake: FakeHome;
let service: FakeService;
let config: string;
let daemon: ChildProcess | undefined;

beforeEach(async () => {
  fake = emptyHome();
  config = write(join(fake.home, ".cursor/mcp.json"), configWith("first"));
  service = await startService(policyWith([EVIL]));
});
afterEach(async () => {
  // A test that failed leaves its daemon running.
  if (daemon?.exitCode === null && daemon.signalCode === null) daemon.kill("SIGKILL");
  daemon = undefined;
  await service.close();
  rmSync(fake.root, { recursive: true, force: true });
});

function configWith(name: string): string {
  const evil = { url: "https://a.evil.example/mcp" };
  return JSON.stringify({ mcpServers: { [name]: { command: "npx", args: [name] }, evil } });
}

function startDaemon(...args: string[]): ChildProcess {
  const place = ["--home", fake.home, "--platform", "linux", "--state-dir", fake.state];
  daemon = spawn(process.execPath, [MAIN, "daemon", ...place, "--interval", "1", ...args], {
    env: {
      PATH: process.env.PATH ?? "",
      HOME: "/nonexistent",
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      GATEHOUSE_URL: service.url,
      GATEHOUSE_SCAN_TOKEN: "scan-token",
    },
    stdio: "ignore",
  });
  return daemon;
}

async function stopped(child: ChildProcess, signal: NodeJS.Signals): Promise<unknown[]> {
  const ended = once(child, "exit");
  child.kill(signal);
  return ended;
}

/** The test fails with its time limit if this never happens. */
async function until(condition: () => boolean, { signal }: { readonly signal: AbortSignal }): Promise<void> {
  while (!condition()) await sleep(20, undefined, { signal });
}

function serversOf(at: number): string[] | undefined {
  return service.reports.at(at)?.mcp_servers.map(({ name }) => name);
}

describe("the daemon", () => {
  it("reports again and again, and ends with 0 after SIGTERM or SIGINT", { timeout: 120_000 }, async (test) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      service.reports.length = 0;
      const child = startDaemon();
      await until(() => service.reports.length >= 2, test);
      assert.deepEqual(await stopped(child, signal), [0, null], signal);
      assert.equal(existsSync(join(fake.state, "lock")), false);
    }
    assert.deepEqual(serversOf(-1), ["first", "evil"]);
    assert.ok(readFileSync(config, "utf8").includes("evil"), "it does not enforce without --enforce");
  });

  it("enforces the policy with --enforce, and follows its changes", { timeout: 120_000 }, async (test) => {
    const child = startDaemon("--enforce");
    await until(() => !readFileSync(config, "utf8").includes("evil"), test);
    await until(() => service.reports.some(({ enforcement }) => enforcement?.[0]?.result === "quarantined"), test);
    service.policy = policyWith([], { version: service.policy.version + 1 });
    await until(() => readFileSync(config, "utf8").includes("evil"), test);
    assert.deepEqual(await stopped(child, "SIGTERM"), [0, null]);
  });

  it("keeps reports while the service is not available, and sends them before the next one", {
    timeout: 120_000,
  }, async (test) => {
    service.failWith = 503;
    const child = startDaemon();
    const kept = () => (existsSync(join(fake.state, "spool")) ? readdirSync(join(fake.state, "spool")) : []);
    await until(() => kept().length > 0, test);
    writeFileSync(config, configWith("second"));
    service.failWith = undefined;
    await until(() => serversOf(-1)?.includes("second") === true, test);
    assert.deepEqual(await stopped(child, "SIGTERM"), [0, null]);
    assert.deepEqual([serversOf(0), kept()], [["first", "evil"], []]);
    const ages = service.reports.map(({ age_seconds: age }) => age);
    assert.ok(typeof ages[0] === "number" && ages.at(-1) === 0, `a live report has no age: ${ages}`);
  });
});
