import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { systemClock } from "#lib/clock";
import { createLogger } from "#lib/logger";
import { ReadPacer } from "#lib/read-pacer";
import { type CallOptions, createCaller, type Outcome, serverEntry, until } from "#test/upstreams/caller";
import { createMovingClock } from "#test/upstreams/moving-clock";
import { listUpstream } from "../handshake/list.ts";
import { type LocalServer, LocalServers, localUrl } from "./local-servers.ts";

const PROGRAM = new URL("../../../../test/upstreams/stdio-echo.ts", import.meta.url).pathname;
const MINUTE = 60_000;

interface Options {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly server?: Partial<LocalServer>;
  readonly clock?: ReturnType<typeof createMovingClock>;
}

function setUp(t: TestContext, { args = [], env = {}, server, clock }: Options = {}) {
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-local-"));
  const started = join(directory, "started");
  const lines: string[] = [];
  const definition = {
    slug: "files",
    name: "Files",
    command: process.execPath,
    args: [PROGRAM, ...args],
    env: { STARTED: started, ...env },
    cwd: directory,
    ...server,
  };
  const localServers = new LocalServers({
    servers: [definition],
    clock: clock ?? systemClock,
    logger: createLogger("info", { write: (line) => void lines.push(line) }),
    environment: { PATH: process.env.PATH ?? "", HOME: directory },
    pacer: new ReadPacer(clock ?? systemClock),
  });
  const caller = createCaller({ localServers, ...(clock ? { clock } : {}) });
  t.after(async () => {
    await caller.close();
    await closing(localServers, clock);
    rmSync(directory, { recursive: true });
  });
  const entry = { ...serverEntry("x"), slug: "files", upstream: upstreamOf(localUrl("files")) };
  const pids = () => (existsSync(started) ? readFileSync(started, "utf8").trim().split("\n").map(Number) : []);
  const call = (options?: CallOptions) => caller.call(entry, options);
  return { localServers, caller, call, entry, lines, pids, directory };
}

function upstreamOf(url: string) {
  return { url, transport: "stdio", authType: "none", eras: [] } as const;
}

async function closing(localServers: LocalServers, clock: ReturnType<typeof createMovingClock> | undefined) {
  let closed = false;
  const done = localServers.close().then(() => {
    closed = true;
  });
  await until(() => {
    clock?.advance(100);
    return closed;
  });
  await done;
}

function structured(outcome: Outcome): Record<string, unknown> {
  assert.equal(outcome.failure, undefined);
  return JSON.parse(outcome.response ?? "").result.structuredContent;
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

for (const spoken of ["legacy", "modern"] as const) {
  for (const era of ["legacy", "modern"] as const) {
    test(`serves a ${era} caller from a local server that speaks ${spoken}, with progress`, async (t) => {
      const { call } = setUp(t, { args: [spoken] });
      assert.deepEqual(structured(await call({ era, arguments: '{\n"word":\r\n"Grüße"}' })), { word: "Grüße" });
      const stepped = await call({ era, tool: "progress" });
      assert.equal(stepped.notifications.length, 2);
      assert.match(stepped.response ?? "", /"done"/);
    });
  }
}

test("serves all principals and the sync from one process, with the right response for each caller", async (t) => {
  const { call, pids, localServers, caller } = setUp(t, { env: { DELAY_MS: "5" } });
  const calls = Array.from({ length: 40 }, (_, n) => ({
    n,
    outcome: call({ principal: `usr_${n % 4}`, arguments: `{"n":${n}}` }),
  }));
  const parts = { egress: caller.egress, clock: systemClock, logger: createLogger("silent"), localServers };
  const { tools, eras } = await listUpstream(parts, upstreamOf(localUrl("files")));
  assert.deepEqual(
    tools.map((tool) => JSON.parse(tool).name),
    ["echo", "progress", "fail", "touch", "subscribed", "whoami", "breed", "long", "grow", "die"],
  );
  assert.deepEqual(eras, ["legacy"]);
  for (const { n, outcome } of calls) assert.deepEqual(structured(await outcome), { n });
  assert.equal(pids().length, 1);
});

test("starts the server with exactly the environment and the directory of the file", async (t) => {
  const { call, directory } = setUp(t, { env: { API_KEY: "k" } });
  const reported = structured(await call({ tool: "whoami" }));
  const ours = ["API_KEY", "HOME", "PATH", "STARTED"];
  // The supervising shell adds its working directory.
  assert.deepEqual(
    (reported.environment as string[]).filter((name) => !["PWD", "OLDPWD", "SHLVL", "_"].includes(name)),
    ours,
  );
  assert.ok(String(reported.cwd).endsWith(directory));
});

test("logs output that is not MCP under the slug of the server, without secrets", async (t) => {
  const { call, lines } = setUp(t);
  await call();
  await until(() => lines.some((line) => line.includes("ready with")));
  const stderr = JSON.parse(lines.find((line) => line.includes("ready with")) ?? "");
  assert.deepEqual([stderr.server, stderr.from, stderr.line], ["files", "stderr", "ready with Bearer [cut]"]);
  assert.ok(lines.some((line) => line.includes('"from":"stdout","line":"hello, I am no JSON"')));
});

test("delivers a large response, and skips one that is too large without stopping the server", async (t) => {
  const { call, lines } = setUp(t);
  const large = await call({ tool: "long", arguments: '{"bytes":8000000}' });
  assert.ok((large.response?.length ?? 0) > 8_000_000);
  const [tooLarge, other] = await Promise.all([
    call({ tool: "long", arguments: '{"bytes":17000000}' }),
    call({ arguments: '{"n":1}' }),
  ]);
  assert.equal(tooLarge.failure?.message, 'Server "files" sent a response that is too large');
  assert.equal(tooLarge.failure?.kind, "too-large");
  assert.deepEqual(structured(other), { n: 1 });
  assert.deepEqual(structured(await call({ arguments: '{"n":2}' })), { n: 2 });
  assert.ok(lines.some((line) => line.includes("too long")));
});

const FLOODING = `
  const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    if (method === "initialize") say({ id, result: { protocolVersion: "2025-11-25", capabilities: {} } });
    const more = () => { while (process.stdout.write("x".repeat(65536))); };
    if (method === "tools/call") process.stdout.on("drain", more), more();
  });`;

test("fails all open calls and stops the server after an endless line", async (t) => {
  const { call, localServers } = setUp(t, { server: { args: ["-e", FLOODING] } });
  const { failure } = await call();
  assert.equal(failure?.message, 'Server "files" sent a response that is too large');
  assert.equal(failure?.mayHaveRun, true);
  await until(() => localServers.size === 0);
});

test("fails the open calls of a server that exits without repeating them, and delays the next start", async (t) => {
  const clock = createMovingClock();
  const { call, pids } = setUp(t, { clock });
  const { failure } = await call({ tool: "die" });
  assert.equal(failure?.message, 'Server "files" exited before it responded');
  assert.equal(failure?.mayHaveRun, true);
  const early = await call();
  assert.match(
    early.failure?.message ?? "",
    /^Server "files" is restarting after a failure; retries in 1 s at the earliest$/,
  );
  assert.equal(early.failure?.mayHaveRun, false);
  clock.advance(1100);
  assert.equal((await call()).failure, undefined);
  assert.equal(pids().length, 2);
});

for (const [name, server] of [
  ["is not a program", { command: "/no/such/program", args: [] }],
  ["exits immediately", { args: [PROGRAM, "dead"] }],
  ["has no folder", { cwd: "/no/such/folder" }],
] as const) {
  test(`fails with a clear message for a server that ${name}, and nothing was sent`, async (t) => {
    const { call, localServers } = setUp(t, { server });
    const { failure } = await call();
    assert.equal(failure?.message, 'Server "files" exited before it responded');
    assert.equal(failure?.mayHaveRun, false);
    await until(() => localServers.size === 0);
  });
}

test("fails with a clear message for a server that is not in the file", async (t) => {
  const { caller, entry } = setUp(t);
  const { failure } = await caller.call({ ...entry, upstream: upstreamOf(localUrl("other")) });
  assert.equal(failure?.message, 'Server "files" is not in the LOCAL_SERVERS_FILE of this process');
});

test("stops a server that is unused for ten minutes, and starts it again for the next call", async (t) => {
  const clock = createMovingClock();
  const { call, pids, localServers } = setUp(t, { clock });
  await call();
  clock.advance(9 * MINUTE);
  await call();
  clock.advance(9 * MINUTE);
  assert.equal(localServers.size, 1);
  clock.advance(2 * MINUTE);
  await until(() => localServers.size === 0);
  assert.equal((await call()).failure, undefined);
  assert.equal(pids().length, 2);
});

test("shuts down without waiting for an unfinished handshake", async (t) => {
  const { call, localServers } = setUp(t, { server: { command: "sleep", args: ["1000"] } });
  const waiting = call();
  await until(() => localServers.size === 1);
  localServers.stopStarting();
  assert.equal((await waiting).failure?.mayHaveRun, false);
  assert.match((await call()).failure?.message ?? "", /shutting down/);
});

test("notifies the server of a cancellation and drops its late response (GW-13)", async (t) => {
  const { call, pids } = setUp(t, { env: { DELAY_MS: "30" } });
  await call();
  const first = call({ arguments: '{"n":1}' });
  first.handle.cancel();
  assert.deepEqual(structured(await call({ arguments: '{"n":2}' })), { n: 2 });
  assert.equal(pids().length, 1);
});

// Concurrent, because each test waits seconds for the grace period of a process that ignores its end.
describe("processes", { concurrency: true }, () => {
  for (const kind of ["polite", "stubborn"]) {
    test(`leaves no process behind on close: a ${kind} server and its child processes`, async (t) => {
      const { call, pids, localServers } = setUp(t, { args: [kind] });
      const bred = Number(structured(await call({ tool: "breed" })).pid);
      const [own = 0] = pids();
      assert.ok(lives(own) && lives(bred));
      await localServers.close();
      await until(() => !lives(own) && !lives(bred));
    });

    test(`leaves no process behind when the gateway is killed: a ${kind} server and its child processes`, async (t) => {
      const directory = mkdtempSync(join(tmpdir(), "gatehouse-local-"));
      t.after(() => rmSync(directory, { recursive: true }));
      const started = join(directory, "started");
      const server = { slug: "files", name: "Files", command: process.execPath, args: [PROGRAM, kind], cwd: directory };
      const program = `
      import { systemClock } from "#lib/clock";
      import { createLogger } from "#lib/logger";
      import { ReadPacer } from "#lib/read-pacer";
      import { LocalServers } from "#gateway/upstream/transport/local-servers";
      const servers = [${JSON.stringify({ ...server, env: { STARTED: started } })}];
      const environment = { PATH: ${JSON.stringify(process.env.PATH)} };
      const local = new LocalServers({
        ...{ servers, clock: systemClock, logger: createLogger("silent"), environment },
        pacer: new ReadPacer(systemClock),
      });
      await local.open("stdio:files");
      console.log("open");
      setInterval(() => {}, 1000);`;
      const gateway = spawn(process.execPath, ["--input-type=module", "-e", program], {
        cwd: new URL("../../../../..", import.meta.url).pathname,
        stdio: ["ignore", "pipe", "inherit"],
      });
      const ended = once(gateway, "exit").then(() => assert.fail("the gateway ended before it was killed"));
      await Promise.race([once(gateway.stdout, "data"), ended]);
      ended.catch(() => {});
      const pid = Number(readFileSync(started, "utf8"));
      assert.ok(lives(pid));
      gateway.kill("SIGKILL");
      await until(() => !lives(pid));
    });
  }
});
