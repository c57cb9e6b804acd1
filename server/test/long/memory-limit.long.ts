/**
 * GW-10, GW-16: callers that do not read their responses cannot exhaust the memory of a container. 64 callers request
 * 15 MiB each and read nothing; meanwhile other calls are answered, and afterwards the memory is returned.
 */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { makeDataDir } from "../databases.ts";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "../factories.ts";
import { callText } from "../mcp-messages.ts";
import { type Behaviour, type RawUpstream, startRawUpstream } from "../upstreams/raw.ts";
import { createMemoryCgroup } from "./memory-cgroup.ts";
import { type ServiceProcess, spawnService } from "./service-process.ts";

const MB = 1024 * 1024;
const LIMIT_BYTES = 1024 * MB;
const ANSWER_BYTES = 15 * MB;
const CALLERS = 64;
const SECONDS = 20;
const STRANGERS = 600;
/** Longer than a response may wait to be read. */
const STALL_MS = 70_000;

describe("a container with 1 GiB of memory", () => {
  const cgroup = createMemoryCgroup(LIMIT_BYTES);
  let dataDir: string;
  let service: ServiceProcess;
  let upstream: RawUpstream;
  let bot: MachineUser;
  let other: MachineUser;
  let slug: string;
  let otherSlug: string;
  let framing: "json" | "sse" = "json";

  before(async () => {
    const text = "x".repeat(ANSWER_BYTES);
    upstream = await startRawUpstream({
      record: false,
      behave: ({ method, tool, id }): Behaviour => {
        if (method !== "tools/call" || tool !== "headers") return "json";
        const result = `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"${text}"}]}}`;
        if (framing === "json") return { status: 200, body: result };
        return { status: 200, body: `data: ${result}\n\n`, headers: { "content-type": "text/event-stream" } };
      },
    });
    dataDir = await makeDataDir();
    const token = randomBytes(24).toString("hex");
    service = await spawnService({ token, environment: { DATA_DIR: dataDir }, ...(cgroup && { wrap: cgroup.wrap }) })
      .ready;
    slug = await createSyncedServer(service, "big", upstream.url);
    otherSlug = await createSyncedServer(service, "small", upstream.url);
    [bot, other] = [await createMachineUser(service, "bot"), await createMachineUser(service, "other")];
    await createGroup(service, "bots", { slugs: [slug, otherSlug], emails: [bot.email, other.email] });
  });
  after(async () => {
    await service.kill();
    await upstream.close();
    await rm(dataDir, { recursive: true, force: true });
    cgroup?.remove();
  });
  const resident = () =>
    Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${service.pid}/status`, "utf8"))?.[1]) * 1024;
  const callTo = (server: string, tool: string) =>
    callText({ era: "legacy", id: "1", tool: `${server}__${tool}`, arguments: "{}" });

  async function callWithoutReading(): Promise<Socket> {
    const { hostname, port, host } = new URL(service.url);
    const socket = connect(Number(port), hostname).pause();
    await once(socket, "connect");
    socket.on("error", () => {});
    const body = callTo(slug, "headers");
    const headers = `host: ${host}\r\nauthorization: Bearer ${bot.credential}\r\ncontent-type: application/json`;
    socket.write(`POST /mcp HTTP/1.1\r\n${headers}\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    return socket;
  }

  for (const kind of ["json", "sse"] as const) {
    it(`survives ${CALLERS} unread responses of 15 MiB (${kind}) and answers other calls`, async (t) => {
      framing = kind;
      const sockets = await Promise.all(Array.from({ length: CALLERS }, callWithoutReading));
      let peak = 0;
      let answered = 0;
      const until = performance.now() + SECONDS * 1000;
      while (performance.now() < until) {
        await sleep(50);
        peak = Math.max(peak, resident());
        const answer = await service.mcp(other.credential, callTo(otherSlug, "echo"));
        assert.equal(answer.status, 200, answer.text);
        answered++;
      }
      for (const socket of sockets) socket.destroy();
      await sleep(3000);
      const [most, then] = [peak, resident()].map((bytes) => Math.round(bytes / MB));
      t.diagnostic(`resident at most ${most} MB, afterwards ${then} MB; ${answered} other calls answered`);
      assert.ok(peak < LIMIT_BYTES / 2);
    });
  }

  it(`survives ${STRANGERS} strangers who request /docs and read nothing, and disconnects them`, async (t) => {
    const { hostname, port, host } = new URL(service.url);
    let open = STRANGERS;
    for (let n = 0; n < STRANGERS; n++) {
      const socket = connect(Number(port), hostname).pause();
      // Without reading, only an error shows that the connection was closed.
      socket.on("error", () => socket.destroy()).on("close", () => open--);
      await once(socket, "connect");
      socket.write(`GET /docs HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
      setTimeout(() => socket.resume(), STALL_MS);
    }
    let peak = 0;
    for (const until = performance.now() + 2 * STALL_MS; performance.now() < until && open > 0; await sleep(100)) {
      peak = Math.max(peak, resident());
      assert.equal((await service.mcp(other.credential, callTo(otherSlug, "echo"))).status, 200);
    }
    t.diagnostic(`resident at most ${Math.round(peak / MB)} MB, afterwards ${Math.round(resident() / MB)} MB`);
    assert.equal(open, 0);
    assert.ok(peak < LIMIT_BYTES / 2);
    assert.deepEqual((await service.http("/readyz")).body, { status: "ready" });
  });

  it(`delivers ${CALLERS} responses of 15 MiB to callers that read them`, async (t) => {
    framing = "json";
    const answers = await Promise.all(
      Array.from({ length: CALLERS }, () => service.mcp(bot.credential, callTo(slug, "headers"))),
    );
    for (const { text } of answers) assert.ok(text.length > ANSWER_BYTES, text.slice(0, 200));
    t.diagnostic(`resident afterwards ${Math.round(resident() / MB)} MB`);
  });
});
