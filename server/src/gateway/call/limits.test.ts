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
/** What the kernel may hold of a connection that nobody reads any more, generously. */
const SOCKET_BUFFERS = 16 * MIB;
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

/** Which database stands behind makes no difference here. */
describe("the gateway's limits", () => {
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

  async function assertRefused(message: string, code: number): Promise<void> {
    const calls = upstream.count("tools/call");
    const answer = await send(message);
    assert.deepEqual(
      [answer.status, answer.body?.error?.code],
      [400, code],
      `${message.slice(0, 200)}: ${answer.text}`,
    );
    assert.equal(upstream.count("tools/call"), calls);
  }

  describe("bodies of 4 MiB at most (GW-5)", () => {
    it("a body of exactly 4 MiB is read, one byte more is 413", async () => {
      assert.equal((await send(PING.padEnd(BODY_LIMIT))).status, 200);
      const answer = await send(PING.padEnd(BODY_LIMIT + 1));
      assert.deepEqual([answer.status, answer.headers.connection], [413, "close"]);
    });

    it("a Content-Length beyond it is refused before any of the body is sent", async () => {
      const answer = await sendRaw(service.url, (socket) => socket.write(head(`content-length: ${BODY_LIMIT + 1}`)));
      assert.equal(statusOf(answer), 413);
    });

    it("a chunked body without end is cut off soon after the limit", async () => {
      let accepted = 0;
      const answer = await sendRaw(service.url, async (socket) => {
        socket.write(head("transfer-encoding: chunked"));
        accepted = await writeUntilAnswered(socket, `10000\r\n${" ".repeat(0x10000)}\r\n`);
      });
      assert.equal(statusOf(answer), 413);
      assert.ok(accepted >= BODY_LIMIT && accepted < BODY_LIMIT + SOCKET_BUFFERS, `${accepted} bytes were accepted`);
    });

    it("a Content-Length that promises more than comes is no request, and leaves no record", async () => {
      const records = await countRecords();
      const message = call('{"marker":1}');
      const answer = await sendRaw(service.url, (socket) =>
        socket.end(`${head(`content-length: ${message.length + 10}`)}${message}`),
      );
      assert.notEqual(statusOf(answer), 200);
      assert.equal(await countRecords(), records);
    });

    it("a Content-Length that promises less cuts the message, and what is left over is no second request", async () => {
      const calls = upstream.count("tools/call");
      const message = call('{"marker":1}');
      const answer = await sendRaw(service.url, (socket) =>
        socket.write(`${head(`content-length: ${message.length - 10}`)}${message}`),
      );
      assert.equal(statusOf(answer), 400);
      assert.equal(upstream.count("tools/call"), calls);
    });

    it("two lengths that could be read in two ways are refused", async () => {
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

    it("headers of more than 16 KiB are 431", async () => {
      const answer = await sendRaw(service.url, (socket) => socket.write(head(`x-padding: ${"x".repeat(16 * 1024)}`)));
      assert.equal(statusOf(answer), 431);
    });
  });

  describe("depth, keys and batches (GW-6)", () => {
    it("64 levels are read, 65 and any more are refused", async () => {
      assert.equal((await send(call(nestedText(62)))).status, 200);
      for (const levels of [63, 100_000, 500_000]) await assertRefused(call(nestedText(levels)), -32600);
      await assertRefused(call(`{"a":${"[".repeat(1_000_000)}`), -32600);
    });

    it("10,000 keys are read, one more is refused", async () => {
      const keys = (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}":0`).join(",")}}`;
      // The message itself has six: jsonrpc, id, method, params, name, arguments.
      assert.equal((await send(call(keys(9_994)))).status, 200);
      await assertRefused(call(keys(9_995)), -32600);
    });

    it("keys that other parsers trip over are data", async () => {
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

    it("a batch has one message at least and 20 at most", async () => {
      for (const count of [0, 21, 1_000]) {
        await assertRefused(`[${Array.from({ length: count }, () => call("{}")).join(",")}]`, -32600);
      }
    });
  });

  describe("strict JSON-RPC (GW-7)", () => {
    const message = (members: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/call",${members}}`;
    const params = (members: string) => message(`"params":{"name":"echo__echo","arguments":{},${members}}`);

    for (const [what, text] of [
      ["a second id", message('"params":{"name":"echo__echo"},"id":2')],
      ["a second method", message('"params":{"name":"echo__echo"},"method":"tools/list"')],
      ["a second method, spelled with an escape", message(String.raw`"params":{},"\u006dethod":"tools/list"`)],
      ["a second params", message('"params":{"name":"echo__echo"},"params":{"name":"echo__headers"}')],
      ["a second name", params('"name":"echo__headers"')],
      ["a second arguments", params('"arguments":{"a":1}')],
      ["a second _meta", params('"_meta":{},"_meta":{}')],
      ["a second progress token", params('"_meta":{"progressToken":1,"progressToken":2}')],
      ["Method beside method", message('"params":{"name":"echo__echo"},"Method":"tools/list"')],
      ["METHOD in place of method", '{"jsonrpc":"2.0","id":1,"METHOD":"ping"}'],
      ["a params with a long s", message('"param\u017f":{"name":"echo__echo"}')],
      ["Name beside name", params('"Name":"echo__headers"')],
      ["Arguments beside arguments", params('"Arguments":{"a":1}')],
      ["fullwidth letters", message('"params":{"\uff4eame":"echo__echo"}')],
      ["a version of a number", '{"jsonrpc":2.0,"id":1,"method":"ping"}'],
      ["another version", '{"jsonrpc":"2.1","id":1,"method":"ping"}'],
      ["no version", '{"id":1,"method":"ping"}'],
      ["an id of null", '{"jsonrpc":"2.0","id":null,"method":"ping"}'],
      ["an id of an object", '{"jsonrpc":"2.0","id":{},"method":"ping"}'],
      ["a method of a number", '{"jsonrpc":"2.0","id":1,"method":1}'],
      ["params of a list", message('"params":["echo__echo"]')],
      ["a method and a result", '{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}'],
      ["no object at all", '"ping"'],
    ] as const) {
      it(`${what} is refused`, () => assertRefused(text, -32600));
    }

    for (const [what, text] of [
      ["nothing", ""],
      ["half a message", PING.slice(0, -1)],
      ["two messages", `${PING}${PING}`],
      ["a comma too many", '{"jsonrpc":"2.0","id":1,"method":"ping",}'],
      ["NaN", call('{"a":NaN}')],
      ["a leading zero", call('{"a":01}')],
      ["a raw control character", call('{"a":"\u0001"}')],
      ["a byte order mark", `\ufeff${PING}`],
    ] as const) {
      it(`${what} is no JSON`, () => assertRefused(text, -32700));
    }

    it("bytes that are not UTF-8 are no JSON", async () => {
      const answer = await send(Buffer.from(call('{"a":"\xff\xfe"}'), "latin1"));
      assert.deepEqual([answer.status, answer.body.error.code], [400, -32700]);
    });

    it("members that JSON-RPC does not know do not reach the upstream", async () => {
      const answer = await send(message('"params":{"name":"echo__echo","arguments":{}},"extra":{"smuggled":1}'));
      assert.equal(answer.status, 200);
      const last = upstream.seen.findLast((seen) => seen.method === "tools/call");
      assert.equal(last?.body.includes("smuggled"), false);
    });
  });

  describe("what kind of request it is", () => {
    it("a content type other than JSON is 415", async () => {
      for (const type of ["text/plain", "application/jsonx", "application/json-rpc", "multipart/form-data", ""]) {
        assert.equal((await send(PING, { "content-type": type })).status, 415, type);
      }
      for (const type of ["application/json; charset=utf-8", "Application/JSON", "application/json ;x=y"]) {
        assert.equal((await send(PING, { "content-type": type })).status, 200, type);
      }
    });

    it("an encoded body is 415, whatever the encoding (GW-9)", async () => {
      for (const encoding of ["gzip", "br", "zstd", "identity, gzip", "nonsense"]) {
        assert.equal((await send(PING, { "content-encoding": encoding })).status, 415, encoding);
      }
      assert.equal((await send(PING, { "content-encoding": "identity" })).status, 200);
    });

    it("other methods than POST are 405 and say what is allowed", async () => {
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

/** Writes the same bytes again and again, no faster than they are taken, until an answer or an end comes. */
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
