import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { sendRaw, statusOf } from "../raw-socket.ts";
import { newDataDir, start } from "./start-command.ts";

const MIB = 1024 * 1024;
/** Upper bound for what the kernel buffers of a connection that is no longer read. */
const SOCKET_BUFFERS = 16 * MIB;
const CHUNK = `10000\r\n${" ".repeat(0x10000)}\r\n`;
/** Each endpoint that accepts a body, its limit, and its content type. */
const ENDPOINTS = [
  ["POST /mcp", 4 * MIB, "application/json"],
  ["POST /api/groups", MIB, "application/json"],
  ["PATCH /api/settings", MIB, "application/json"],
  ["POST /oauth/token", 64 * 1024, "application/x-www-form-urlencoded"],
  ["POST /oauth/register", 64 * 1024, "application/json"],
  ["POST /sign-in", 64 * 1024, "application/x-www-form-urlencoded"],
] as const;

/** Only Linux reports it; elsewhere the test shows that the process survives. */
function residentBytes(pid: number): number {
  if (!existsSync(`/proc/${pid}/status`)) return 0;
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
}

describe("limits on bodies and headers, on the wire (GW-5)", () => {
  let service: ReturnType<typeof start>;
  let url: string;
  let token: string;
  before(async () => {
    const dataDir = await newDataDir();
    service = start({ DATA_DIR: dataDir });
    url = await service.served();
    token = readFileSync(join(dataDir, "admin-token"), "utf8").trim();
  });
  after(async () => {
    service.child.kill("SIGTERM");
    await service.ended;
  });

  const head = (endpoint: string, type: string, ...lines: string[]) =>
    [
      `${endpoint} HTTP/1.1`,
      `host: ${new URL(url).host}`,
      `authorization: Bearer ${token}`,
      `content-type: ${type}`,
      ...lines,
      "\r\n",
    ].join("\r\n");
  const isServing = async () => {
    const answer = await fetch(`${url}/api/groups`, { headers: { authorization: `Bearer ${token}` } });
    assert.equal(answer.status, 200);
  };
  /** Returns how many bytes the service accepted before it answered or closed. */
  function flood(socket: Socket): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    let sent = 0;
    const stop = () => {
      socket.removeListener("drain", send);
      resolve(sent);
    };
    const send = () => {
      do sent += CHUNK.length;
      while (socket.write(CHUNK));
    };
    socket.once("data", stop).once("close", stop).on("drain", send);
    send();
    return promise;
  }

  for (const [endpoint, limit, type] of ENDPOINTS) {
    it(`${endpoint}: an endless body is cut off, without memory for it, while others are served`, async () => {
      await isServing();
      const before = residentBytes(service.child.pid ?? 0);
      let accepted = 0;
      const answer = await sendRaw(url, async (socket) => {
        socket.write(head(endpoint, type, "transfer-encoding: chunked"));
        [accepted] = await Promise.all([flood(socket), isServing()]);
      });
      // A wrong credential or token is rejected before the body is read. A reset can overtake the response.
      assert.ok(answer === "" || [400, 401, 403, 413].includes(statusOf(answer)), answer.slice(0, 200));
      assert.ok(accepted < limit + SOCKET_BUFFERS, `${accepted} bytes were accepted`);
      const grown = residentBytes(service.child.pid ?? 0) - before;
      assert.ok(grown < 64 * MIB, `${grown} bytes of memory`);
    });

    it(`${endpoint}: a Content-Length above the limit is rejected before the body arrives`, async () => {
      const answer = await sendRaw(url, (socket) => socket.write(head(endpoint, type, "content-length: 999999999999")));
      assert.ok([400, 401, 403, 413].includes(statusOf(answer)), answer.slice(0, 200));
    });

    it(`${endpoint}: headers above 16 KiB are rejected with 431`, async () => {
      const answer = await sendRaw(url, (socket) =>
        socket.write(head(endpoint, type, `x-long: ${"a".repeat(17_000)}`)),
      );
      assert.equal(statusOf(answer), 431, answer.slice(0, 200));
    });
  }
});
