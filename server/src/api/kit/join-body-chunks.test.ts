import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { type Service, startService } from "#test/start-service";

/** Read before its signature is checked. */
const HOOK = "/hooks/agents/unknown";
const BODY_BYTES = 250_000;
/** No other one fits into a quarter of 16 MiB, with 16 KiB of each body uncounted. */
const BODIES = 17;

/** Behavior does not depend on the database, so one is enough. */
describe("unfinished bodies of a stranger (GW-5)", () => {
  let database: TestDatabase;
  let service: Service;
  const sockets: Socket[] = [];
  before(async () => {
    database = await openTestSqlite();
    service = await startService(database);
  });
  after(async () => {
    for (const socket of sockets) socket.destroy();
    await service?.close();
    await database?.close();
  });

  async function sendUnfinished(): Promise<void> {
    const { hostname, port, host } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    socket.on("error", () => {});
    await once(socket, "connect");
    socket.write(`POST ${HOOK} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: ${BODY_BYTES + 1}\r\n\r\n`);
    await new Promise((resolve) => socket.write("x".repeat(BODY_BYTES), resolve));
  }
  const post = (path: string, bytes: number) =>
    service.http(path, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: `email=${"x".repeat(bytes)}`,
    });

  it("use up only the share of its network for large bodies", async () => {
    assert.equal((await post(HOOK, BODY_BYTES - 10)).status, 401);
    await Promise.all(Array.from({ length: BODIES }, sendUnfinished));
    let refused = await post(HOOK, BODY_BYTES - 10);
    // The service may not have read all of them.
    for (; refused.status !== 503; refused = await post(HOOK, BODY_BYTES - 10)) await sleep(10);
    assert.equal(refused.headers["retry-after"], "1");
    assert.equal((await post(HOOK, 1_000)).status, 401);
    assert.notEqual((await post("/sign-in", 1_000)).status, 503);
    assert.notEqual((await post("/oauth/token", 1_000)).status, 503);
    const group = { name: "Finance", description: "x".repeat(200_000) };
    assert.notEqual((await service.api("POST", "/api/groups", group)).status, 503);
    for (const socket of sockets) socket.destroy();
    while ((await post(HOOK, BODY_BYTES - 10)).status !== 401) await sleep(10);
  });
});
