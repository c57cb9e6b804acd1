import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { newDataDir, start } from "./start-command.ts";

const MB = 1024 * 1024;

/** The largest resident size of a process so far. Only Linux reports it; elsewhere the test shows that the process survives. */
function peakBytes(pid: number): number {
  if (!existsSync(`/proc/${pid}/status`)) return 0;
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
}

describe("bodies in chunks of one byte (GW-5)", () => {
  let service: ReturnType<typeof start>;
  let url: URL;
  let token: string;
  const sockets: Socket[] = [];

  before(async () => {
    const dataDir = await newDataDir();
    // New objects get little space, so that the size of the process shows what it keeps.
    service = start({ DATA_DIR: dataDir, NODE_OPTIONS: "--max-old-space-size=256 --max-semi-space-size=8" });
    url = new URL(await service.served());
    token = readFileSync(join(dataDir, "admin-token"), "utf8").trim();
  });
  after(async () => {
    for (const socket of sockets) socket.destroy();
    service.child.kill("SIGTERM");
    await service.ended;
  });

  /** Sends the start of a chunked request and leaves it unfinished. Resolves when everything was sent or refused. */
  async function sendChunks(path: string, headers: string, count: number): Promise<void> {
    const socket = connect(Number(url.port), url.hostname);
    sockets.push(socket);
    socket.on("error", () => {});
    socket.resume();
    const closed = once(socket, "close");
    await once(socket, "connect");
    socket.write(`POST ${path} HTTP/1.1\r\nhost: ${url.host}\r\n${headers}\r\ntransfer-encoding: chunked\r\n\r\n`);
    const sent = new Promise((resolve) => socket.write("1\r\n \r\n".repeat(count), resolve));
    await Promise.race([sent, closed]);
  }

  it("do not use more memory than their size, on any endpoint", async () => {
    const pid = service.child.pid ?? 0;
    const before = peakBytes(pid);
    const form = "content-type: application/x-www-form-urlencoded";
    const json = `content-type: application/json\r\nauthorization: Bearer ${token}`;
    const strangers = Array.from({ length: 100 }, () => sendChunks("/oauth/token", form, 50_000));
    const admins = Array.from({ length: 20 }, () => sendChunks("/api/groups", json, 100_000));
    await Promise.all([...strangers, ...admins]);
    assert.equal((await fetch(new URL("/readyz", url))).status, 200);
    const grown = peakBytes(pid) - before;
    assert.ok(grown < 96 * MB, `${Math.round(grown / MB)} MB more`);
  });
});
