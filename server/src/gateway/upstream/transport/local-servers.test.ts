import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { systemClock } from "#lib/clock";
import { createLogger } from "#lib/logger";
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

function world(t: TestContext, { args = [], env = {}, server, clock }: Options = {}) {
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
    test(`a ${era} caller is served by a local server that speaks ${spoken}, with progress`, async (t) => {
      const { call } = world(t, { args: [spoken] });
      assert.deepEqual(structured(await call({ era, arguments: '{\n"word":\r\n"Grüße"}' })), { word: "Grüße" });
      const stepped = await call({ era, tool: "progress" });
      assert.equal(stepped.notifications.length, 2);
      assert.match(stepped.response ?? "", /"done"/);
    });
  }
}

test("one process serves all principals and the reading of tools, and every caller gets its own answer", async (t) => {
  const { call, pids, localServers, caller } = world(t, { env: { DELAY_MS: "5" } });
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

test("it gets the environment that the file says and no more, in the folder that the file says", async (t) => {
  const { call, directory } = world(t, { env: { API_KEY: "k" } });
  const told = structured(await call({ tool: "whoami" }));
  const ours = ["API_KEY", "HOME", "PATH", "STARTED"];
  // The shell that watches over it adds where it is.
  assert.deepEqual(
    (told.environment as string[]).filter((name) => !["PWD", "OLDPWD", "SHLVL", "_"].includes(name)),
    ours,
  );
  assert.ok(String(told.cwd).endsWith(directory));
});

test("what it says beside the protocol is in our log under its slug, without secrets", async (t) => {
  const { call, lines } = world(t);
  await call();
  await until(() => lines.some((line) => line.includes("ready with")));
  const stderr = JSON.parse(lines.find((line) => line.includes("ready with")) ?? "");
  assert.deepEqual([stderr.server, stderr.from, stderr.line], ["files", "stderr", "ready with Bearer [cut]"]);
  assert.ok(lines.some((line) => line.includes('"from":"stdout","line":"hello, I am no JSON"')));
});

test("a large answer passes whole; one beyond the cap is left out, and the server goes on", async (t) => {
  const { call, lines } = world(t);
  const large = await call({ tool: "long", arguments: '{"bytes":8000000}' });
  assert.ok((large.response?.length ?? 0) > 8_000_000);
  const [tooLarge, other] = await Promise.all([
    call({ tool: "long", arguments: '{"bytes":17000000}' }),
    call({ arguments: '{"n":1}' }),
  ]);
  assert.equal(tooLarge.failure?.message, 'Server "files" sent an answer that is too large');
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

test("a line without end fails whoever waits, and ends the server, since nothing else can come from it", async (t) => {
  const { call, localServers } = world(t, { server: { args: ["-e", FLOODING] } });
  const { failure } = await call();
  assert.equal(failure?.message, 'Server "files" sent an answer that is too large');
  assert.equal(failure?.mayHaveRun, true);
  await until(() => localServers.size === 0);
});

test("a server that ends fails the calls under way, which are not repeated, and waits before it is started again", async (t) => {
  const clock = createMovingClock();
  const { call, pids } = world(t, { clock });
  const { failure } = await call({ tool: "die" });
  assert.equal(failure?.message, 'Server "files" ended before it answered');
  assert.equal(failure?.mayHaveRun, true);
  const early = await call();
  assert.match(early.failure?.message ?? "", /^Server "files" failed, and is started again in 1 s at the earliest$/);
  assert.equal(early.failure?.mayHaveRun, false);
  clock.advance(1100);
  assert.equal((await call()).failure, undefined);
  assert.equal(pids().length, 2);
});

for (const [name, server] of [
  ["is no program", { command: "/no/such/program", args: [] }],
  ["ends at once", { args: [PROGRAM, "dead"] }],
  ["has no folder", { cwd: "/no/such/folder" }],
] as const) {
  test(`a server that ${name} fails in words, and nothing was sent`, async (t) => {
    const { call, localServers } = world(t, { server });
    const { failure } = await call();
    assert.equal(failure?.message, 'Server "files" ended before it answered');
    assert.equal(failure?.mayHaveRun, false);
    await until(() => localServers.size === 0);
  });
}

test("a server that the file does not name fails in words", async (t) => {
  const { caller, entry } = world(t);
  const { failure } = await caller.call({ ...entry, upstream: upstreamOf(localUrl("other")) });
  assert.equal(failure?.message, 'Server "files" is not in the LOCAL_SERVERS_FILE of this process');
});

test("a server that nobody uses for ten minutes is stopped, and started again by the next call", async (t) => {
  const clock = createMovingClock();
  const { call, pids, localServers } = world(t, { clock });
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

test("a server that never answers its handshake does not hold a shutdown up", async (t) => {
  const { call, localServers } = world(t, { server: { command: "sleep", args: ["1000"] } });
  const waiting = call();
  await until(() => localServers.size === 1);
  localServers.stopStarting();
  assert.equal((await waiting).failure?.mayHaveRun, false);
  assert.match((await call()).failure?.message ?? "", /shutting down/);
});

test("cancelling tells the server, and its late answer goes to nobody (GW-13)", async (t) => {
  const { call, pids } = world(t, { env: { DELAY_MS: "30" } });
  await call();
  const first = call({ arguments: '{"n":1}' });
  first.handle.cancel();
  assert.deepEqual(structured(await call({ arguments: '{"n":2}' })), { n: 2 });
  assert.equal(pids().length, 1);
});

// Concurrent, because each test waits seconds for the grace period of a process that ignores its end.
describe("processes", { concurrency: true }, () => {
  for (const kind of ["polite", "stubborn"]) {
    test(`closing leaves no process behind: a ${kind} server and what it started`, async (t) => {
      const { call, pids, localServers } = world(t, { args: [kind] });
      const bred = Number(structured(await call({ tool: "breed" })).pid);
      const [own = 0] = pids();
      assert.ok(lives(own) && lives(bred));
      await localServers.close();
      await until(() => !lives(own) && !lives(bred));
    });

    test(`when we are killed, nothing stays behind: a ${kind} server and what it started`, async (t) => {
      const directory = mkdtempSync(join(tmpdir(), "gatehouse-local-"));
      t.after(() => rmSync(directory, { recursive: true }));
      const started = join(directory, "started");
      const server = { slug: "files", name: "Files", command: process.execPath, args: [PROGRAM, kind], cwd: directory };
      const program = `
      import { systemClock } from "#lib/clock";
      import { createLogger } from "#lib/logger";
      import { LocalServers } from "#gateway/upstream/transport/local-servers";
      const servers = [${JSON.stringify({ ...server, env: { STARTED: started } })}];
      const environment = { PATH: ${JSON.stringify(process.env.PATH)} };
      const local = new LocalServers({ servers, clock: systemClock, logger: createLogger("silent"), environment });
      await local.open("stdio:files");
      console.log("open");
      setInterval(() => {}, 1000);`;
      const gateway = spawn(process.execPath, ["--input-type=module", "-e", program], {
        cwd: new URL("../../../../..", import.meta.url).pathname,
        stdio: ["ignore", "pipe", "inherit"],
      });
      await once(gateway.stdout, "data");
      const pid = Number(readFileSync(started, "utf8"));
      assert.ok(lives(pid));
      gateway.kill("SIGKILL");
      await until(() => !lives(pid));
    });
  }
});
