/** Upgrades and downgrades between this release and a later one (decision 0171). */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createPostgresDatabase, makeDataDir } from "../databases.ts";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "../factories.ts";
import { type ServiceProcess, spawnService } from "../long/service-process.ts";
import { callText, eraHeaders } from "../mcp-messages.ts";
import { makeNextRelease, type NextRelease, ofRelease } from "../next-release.ts";
import { startRawUpstream } from "../upstreams/raw.ts";

const TOKEN = "a-token-for-the-test-of-upgrades";
const CALLERS = 4;
const BIN = fileURLToPath(new URL("../../../dist/bin/gatehouse.mjs", import.meta.url));

async function makePlace(dialect: "sqlite" | "postgres") {
  const dataDir = await makeDataDir();
  const database = dialect === "postgres" ? await createPostgresDatabase() : undefined;
  const key = join(dataDir, "gatehouse.key");
  await writeFile(key, randomBytes(32).toString("base64"), { mode: 0o600 });
  const environment = {
    ...{ DATA_DIR: dataDir, GATEHOUSE_KEY_FILE: key },
    ...(database && { DATABASE_URL: database.databaseUrl }),
  };
  const remove = async () => {
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { environment, remove };
}

function call(service: ServiceProcess, caller: MachineUser, n: number) {
  const text = callText({ era: "modern", id: String(n), tool: "echo__echo", arguments: `{"n":${n}}` });
  const headers = {
    accept: "application/json, text/event-stream",
    ...eraHeaders("modern", "tools/call", "echo__echo"),
  };
  return service.mcp(caller.credential, text, headers);
}

async function prepare(service: ServiceProcess, upstreamUrl: string): Promise<MachineUser> {
  const slug = await createSyncedServer(service, "Echo", upstreamUrl);
  const caller = await createMachineUser(service, "caller");
  await createGroup(service, "callers", { slugs: [slug], emails: [caller.email] });
  return caller;
}

/** The version that MCP clients see. */
async function versionOf(service: ServiceProcess, { credential }: MachineUser): Promise<string> {
  const clientInfo = { name: "upgrade", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const message = { jsonrpc: "2.0", id: 1, method: "initialize", params };
  const answer = await service.mcp(credential, message, { accept: "application/json, text/event-stream" });
  return /"version":"([^"]+)"/.exec(answer.text)?.[1] ?? answer.text;
}

async function groupNames(service: ServiceProcess): Promise<string[]> {
  const names: string[] = [];
  for (;;) {
    const { status, body, text } = await service.api("GET", `/api/groups?limit=200&skip=${names.length}`);
    assert.equal(status, 200, text);
    names.push(...body.data.map(({ name }: { name: string }) => name));
    if (!body.pagination.hasMore) return names;
  }
}

describe("the next release", () => {
  let additive: NextRelease;
  let breaking: NextRelease;
  before(async () => {
    additive = await makeNextRelease("additive");
    breaking = await makeNextRelease("breaking");
  });
  after(async () => {
    await additive.remove();
    await breaking.remove();
  });

  for (const dialect of ["sqlite", "postgres"] as const) {
    it(`starts with the data of this one, and this one starts again (${dialect})`, async (t) => {
      const { environment, remove } = await makePlace(dialect);
      const upstream = await startRawUpstream();
      t.after(async () => {
        await upstream.close();
        await remove();
      });
      const start = (wrap = ofRelease(additive.bin)) => spawnService({ token: TOKEN, environment, wrap });
      const here = (command: readonly string[]) => command;
      let running = start(here);
      t.after(() => running.kill());
      let service = await running.ready;
      const caller = await prepare(service, upstream.url);
      await service.close();
      running = start();
      service = await running.ready;
      assert.equal(await versionOf(service, caller), additive.version);
      assert.deepEqual((await call(service, caller, 1)).body.result.structuredContent, { n: 1 });
      assert.equal((await service.api("POST", "/api/groups", { name: "After the upgrade" })).status, 201);
      await service.close();
      running = start(here);
      service = await running.ready;
      assert.deepEqual((await call(service, caller, 2)).body.result.structuredContent, { n: 2 });
      assert.ok((await groupNames(service)).includes("After the upgrade"));
      assert.equal((await service.api("GET", "/api/audit/verify")).body.data.ok, true);
      await service.close();
    });

    it(`is refused by this release with one line if its tables exclude it (${dialect})`, async (t) => {
      const { environment, remove } = await makePlace(dialect);
      t.after(remove);
      const gatehouse = (bin: string, command: string) =>
        promisify(execFile)(process.execPath, [bin, command], {
          env: { PATH: process.env.PATH, PORT: "0", ...environment },
        });
      await gatehouse(breaking.bin, "migrate");
      // EX_CONFIG, so that a supervisor does not restart it.
      await assert.rejects(gatehouse(BIN, "serve"), ({ code, stderr }: { code: number; stderr: string }) => {
        assert.equal(code, 78, stderr);
        const reason =
          "The database belongs to a newer release (main/9999-next-release), which this release cannot use";
        assert.ok(stderr.includes(reason), stderr);
        assert.equal(stderr.trimEnd().split("\n").length, 1, stderr);
        return true;
      });
    });
  }

  it("replaces this one on Postgres without a failed call or a lost write", async (t) => {
    const { environment, remove } = await makePlace("postgres");
    const upstream = await startRawUpstream({ record: false });
    t.after(async () => {
      await upstream.close();
      await remove();
    });
    const old = spawnService({ token: TOKEN, environment });
    t.after(() => old.kill());
    const oldService = await old.ready;
    const caller = await prepare(oldService, upstream.url);
    let [target, isOver, calls, writes] = [oldService, false, 0, 0];
    const callRepeatedly = async () => {
      while (!isOver) {
        const n = ++calls;
        const answer = await call(target, caller, n);
        assert.deepEqual(answer.body?.result?.structuredContent, { n }, answer.text);
      }
    };
    const writeRepeatedly = async () => {
      while (!isOver) {
        const answer = await target.api("POST", "/api/groups", { name: `written ${++writes}` });
        assert.equal(answer.status, 201, answer.text);
      }
    };
    const load = Promise.all([writeRepeatedly(), ...Array.from({ length: CALLERS }, callRepeatedly)]);
    // The documented steps: migrate while the old replica serves, start the new one, then stop the old one.
    const env = { PATH: process.env.PATH, ...environment };
    const replace = async () => {
      await promisify(execFile)(process.execPath, [additive.bin, "migrate"], { env });
      const atMigration = calls;
      while (calls < atMigration + 50) await new Promise(setImmediate);
      const newDataDir = await makeDataDir();
      t.after(() => rm(newDataDir, { recursive: true, force: true }));
      const next = spawnService({
        token: TOKEN,
        environment: { ...environment, DATA_DIR: newDataDir },
        wrap: ofRelease(additive.bin),
      });
      t.after(() => next.kill());
      const nextService = await next.ready;
      // A load balancer sends new requests to the new replica.
      target = nextService;
      const atSwitch = calls;
      while (calls < atSwitch + 50) await new Promise(setImmediate);
      return nextService;
    };
    const nextService = await Promise.race([replace(), load.then(() => Promise.reject(new Error("the load ended")))]);
    isOver = true;
    await load;
    await oldService.close();
    const names = new Set(await groupNames(nextService));
    const acknowledged = Array.from({ length: writes }, (_, at) => `written ${at + 1}`);
    assert.ok(writes > 0);
    assert.deepEqual(
      acknowledged.filter((name) => !names.has(name)),
      [],
    );
    assert.equal((await nextService.api("GET", "/api/audit/verify")).body.data.ok, true);
    await nextService.close();
  });
});
