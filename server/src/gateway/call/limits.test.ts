import assert from "node:assert/strict";
import { once } from "node:events";
import type { Socket } from "node:net";
import { after, afterEach, before, describe, it } from "node:test";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { nestedText } from "#test/json-texts";
import { callText } from "#test/mcp-messages";
import { sendRaw, statusOf } from "#test/raw-socket";
import { type Service, startService } from "#test/start-service";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const MIB = 1024 * 1024;
const BODY_LIMIT = 4 * MIB;
/** Upper bound for what the kernel buffers of a connection that is no longer read. */
const SOCKET_BUFFERS = 16 * MIB;
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

/** Behavior does not depend on the database, so one is enough. */
describe("gateway limits", () => {
  let database: TestDatabase;
  let service: Service;
  let upstream: RawUpstream;
  let bot: MachineUser;

  before(async () => {
    database = await openTestSqlite();
    service = await startService(database);
    upstream = await startRawUpstream();
    await createSyncedServer(service, "Echo", upstream.url);
    bot = await createMachineUser(service, "bot");
    await createGroup(service, "bots", { slugs: ["echo"], emails: [bot.email] });
  });
  after(async () => {
    await service?.close();
    await upstream?.close();
    await database?.close();
  });
  afterEach(async () => {
    const pollution: object = Object.prototype;
    assert.equal("polluted" in pollution, false);
    assert.equal((await service.mcp(bot.credential, PING)).text, '{"jsonrpc":"2.0","id":1,"result":{}}');
  });

  const call = (args: string) => callText({ era: "legacy", id: "1", tool: "echo__echo", arguments: args });
  const send = (message: string | Buffer, headers: Record<string, string> = {}) =>
    service.http("/mcp", {
      method: "POST",
      headers: { authorization: `Bearer ${bot.credential}`, "content-type": "application/json", ...headers },
      body: message,
    });
  const head = (...lines: string[]) =>
    [
      "POST /mcp HTTP/1.1",
      `host: ${new URL(service.url).host}`,
      `authorization: Bearer ${bot.credential}`,
      "content-type: application/json",
      ...lines,
      "\r\n",
    ].join("\r\n");

  async function assertRejected(message: string, code: number): Promise<void> {
    const calls = upstream.count("tools/call");
    const answer = await send(message);
    assert.deepEqual(
      [answer.status, answer.body?.error?.code],
      [400, code],
      `${message.slice(0, 200)}: ${answer.text}`,
    );
    assert.equal(upstream.count("tools/call"), calls);
  }

  describe("body size limit of 4 MiB (GW-5)", () => {
    it("accepts a body of exactly 4 MiB and rejects one more byte with 413", async () => {
      assert.equal((await send(PING.padEnd(BODY_LIMIT))).status, 200);
      const answer = await send(PING.padEnd(BODY_LIMIT + 1));
      assert.deepEqual([answer.status, answer.headers.connection], [413, "close"]);
    });

    it("rejects a larger Content-Length before the body is sent", async () => {
      const answer = await sendRaw(service.url, (socket) => socket.write(head(`content-length: ${BODY_LIMIT + 1}`)));
      assert.equal(statusOf(answer), 413);
    });

    it("cuts off an endless chunked body soon after the limit", async () => {
      let accepted = 0;
      const answer = await sendRaw(service.url, async (socket) => {
        socket.write(head("transfer-encoding: chunked"));
        accepted = await writeUntilAnswered(socket, `10000\r\n${" ".repeat(0x10000)}\r\n`);
      });
      assert.equal(statusOf(answer), 413);
      assert.ok(accepted >= BODY_LIMIT && accepted < BODY_LIMIT + SOCKET_BUFFERS, `${accepted} bytes were accepted`);
    });

    it("ignores a request with fewer bytes than its Content-Length, and logs nothing", async () => {
      const records = await countRecords();
      const message = call('{"marker":1}');
      const answer = await sendRaw(service.url, (socket) =>
        socket.end(`${head(`content-length: ${message.length + 10}`)}${message}`),
      );
      assert.notEqual(statusOf(answer), 200);
      assert.equal(await countRecords(), records);
    });

    it("truncates a message at its Content-Length, and does not read the rest as a second request", async () => {
      const calls = upstream.count("tools/call");
      const message = call('{"marker":1}');
      const answer = await sendRaw(service.url, (socket) =>
        socket.write(`${head(`content-length: ${message.length - 10}`)}${message}`),
      );
      assert.equal(statusOf(answer), 400);
      assert.equal(upstream.count("tools/call"), calls);
    });

    it("rejects ambiguous lengths", async () => {
      for (const lines of [
        ["content-length: 40", "content-length: 41"],
        ["content-length: 40", "transfer-encoding: chunked"],
        ["transfer-encoding: chunked, identity"],
        ["content-length: +40"],
      ]) {
        const answer = await sendRaw(service.url, (socket) => socket.end(`${head(...lines)}${PING}`));
        assert.equal(statusOf(answer), 400, lines.join());
      }
    });

    it("rejects headers larger than 16 KiB with 431", async () => {
      const answer = await sendRaw(service.url, (socket) => socket.write(head(`x-padding: ${"x".repeat(16 * 1024)}`)));
      assert.equal(statusOf(answer), 431);
    });
  });

  describe("depth, keys, and batches (GW-6)", () => {
    it("accepts 64 levels and rejects more", async () => {
      assert.equal((await send(call(nestedText(62)))).status, 200);
      for (const levels of [63, 100_000, 500_000]) await assertRejected(call(nestedText(levels)), -32600);
      await assertRejected(call(`{"a":${"[".repeat(1_000_000)}`), -32600);
    });

    it("accepts 10,000 keys and rejects one more", async () => {
      const keys = (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}":0`).join(",")}}`;
      // The message itself has six keys: jsonrpc, id, method, params, name, arguments.
      assert.equal((await send(call(keys(9_994)))).status, 200);
      await assertRejected(call(keys(9_995)), -32600);
    });

    it("treats keys such as __proto__ as data", async () => {
      for (const args of [
        '{"__proto__":{"polluted":true}}',
        '{"constructor":{"prototype":{"polluted":true}}}',
        '{"a":[{"__proto__":{"polluted":true}}],"__proto__":null}',
      ]) {
        const answer = await send(call(args));
        assert.ok(answer.text.includes(args), answer.text);
      }
      const inParams = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"__proto__":{"polluted":true}}}`;
      assert.equal((await send(inParams)).status, 200);
    });

    it("rejects an empty batch and one with more than 20 messages", async () => {
      for (const count of [0, 21, 1_000]) {
        await assertRejected(`[${Array.from({ length: count }, () => call("{}")).join(",")}]`, -32600);
      }
    });
  });

  describe("strict JSON-RPC (GW-7)", () => {
    const message = (members: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/call",${members}}`;
    const params = (members: string) => message(`"params":{"name":"echo__echo","arguments":{},${members}}`);

    for (const [what, text] of [
      ["a duplicate id", message('"params":{"name":"echo__echo"},"id":2')],
      ["a duplicate method", message('"params":{"name":"echo__echo"},"method":"tools/list"')],
      ["a duplicate method with an escape", message(String.raw`"params":{},"\u006dethod":"tools/list"`)],
      ["duplicate params", message('"params":{"name":"echo__echo"},"params":{"name":"echo__headers"}')],
      ["a duplicate name", params('"name":"echo__headers"')],
      ["duplicate arguments", params('"arguments":{"a":1}')],
      ["a duplicate _meta", params('"_meta":{},"_meta":{}')],
      ["a duplicate progress token", params('"_meta":{"progressToken":1,"progressToken":2}')],
      ["Method next to method", message('"params":{"name":"echo__echo"},"Method":"tools/list"')],
      ["METHOD instead of method", '{"jsonrpc":"2.0","id":1,"METHOD":"ping"}'],
      ["params with a long s", message('"param\u017f":{"name":"echo__echo"}')],
      ["Name next to name", params('"Name":"echo__headers"')],
      ["Arguments next to arguments", params('"Arguments":{"a":1}')],
      ["fullwidth letters", message('"params":{"\uff4eame":"echo__echo"}')],
      ["a numeric version", '{"jsonrpc":2.0,"id":1,"method":"ping"}'],
      ["a different version", '{"jsonrpc":"2.1","id":1,"method":"ping"}'],
      ["no version", '{"id":1,"method":"ping"}'],
      ["null as id", '{"jsonrpc":"2.0","id":null,"method":"ping"}'],
      ["an object as id", '{"jsonrpc":"2.0","id":{},"method":"ping"}'],
      ["a numeric method", '{"jsonrpc":"2.0","id":1,"method":1}'],
      ["an array as params", message('"params":["echo__echo"]')],
      ["both method and result", '{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}'],
      ["a message that is not an object", '"ping"'],
    ] as const) {
      it(`rejects ${what}`, () => assertRejected(text, -32600));
    }

    for (const [what, text] of [
      ["an empty body", ""],
      ["a truncated message", PING.slice(0, -1)],
      ["two messages", `${PING}${PING}`],
      ["a trailing comma", '{"jsonrpc":"2.0","id":1,"method":"ping",}'],
      ["NaN", call('{"a":NaN}')],
      ["a leading zero", call('{"a":01}')],
      ["a raw control character", call('{"a":"\u0001"}')],
      ["a byte order mark", `\ufeff${PING}`],
    ] as const) {
      it(`rejects ${what} as invalid JSON`, () => assertRejected(text, -32700));
    }

    it("rejects bytes that are not UTF-8 as invalid JSON", async () => {
      const answer = await send(Buffer.from(call('{"a":"\xff\xfe"}'), "latin1"));
      assert.deepEqual([answer.status, answer.body.error.code], [400, -32700]);
    });

    it("does not forward members unknown to JSON-RPC", async () => {
      const answer = await send(message('"params":{"name":"echo__echo","arguments":{}},"extra":{"smuggled":1}'));
      assert.equal(answer.status, 200);
      const last = upstream.seen.findLast((seen) => seen.method === "tools/call");
      assert.equal(last?.body.includes("smuggled"), false);
    });
  });

  describe("content type, encoding, and HTTP method", () => {
    it("rejects content types other than JSON with 415", async () => {
      for (const type of ["text/plain", "application/jsonx", "application/json-rpc", "multipart/form-data", ""]) {
        assert.equal((await send(PING, { "content-type": type })).status, 415, type);
      }
      for (const type of ["application/json; charset=utf-8", "Application/JSON", "application/json ;x=y"]) {
        assert.equal((await send(PING, { "content-type": type })).status, 200, type);
      }
    });

    it("rejects an encoded body with 415 for any encoding (GW-9)", async () => {
      for (const encoding of ["gzip", "br", "zstd", "identity, gzip", "nonsense"]) {
        assert.equal((await send(PING, { "content-encoding": encoding })).status, 415, encoding);
      }
      assert.equal((await send(PING, { "content-encoding": "identity" })).status, 200);
    });

    it("rejects methods other than POST with 405 and an Allow header", async () => {
      for (const method of ["GET", "DELETE", "PUT", "PATCH", "OPTIONS"]) {
        const answer = await service.http("/mcp", { method, headers: { authorization: `Bearer ${bot.credential}` } });
        assert.deepEqual([answer.status, answer.headers.allow], [405, "POST"], method);
      }
    });
  });

  async function countRecords(): Promise<number> {
    return (await service.api("GET", "/api/logs?limit=200")).body.data.length;
  }
});

/** Writes the same bytes repeatedly, respecting backpressure, until the server responds or closes. */
async function writeUntilAnswered(socket: Socket, bytes: string): Promise<number> {
  let accepted = 0;
  let answered = false;
  for (const event of ["data", "end", "close"]) socket.once(event, () => (answered = true));
  while (!answered) {
    if (socket.write(bytes)) await new Promise((resolve) => setImmediate(resolve));
    else await Promise.race([once(socket, "drain"), once(socket, "close"), once(socket, "data")]).catch(() => {});
    accepted += bytes.length;
  }
  return accepted;
}
