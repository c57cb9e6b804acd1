import assert from "node:assert/strict";
import { once } from "node:events";
import type { Socket } from "node:net";
import { after, describe, it } from "node:test";
import { testClock } from "#test/clock";
import { LoopbackPeers } from "#test/loopback-peers";
import { ok, RecordedExchange } from "#test/recorded-exchange";
import { createEgress, LOOPBACK_ALLOW, parseAllowList } from "../egress.ts";

const peers = new LoopbackPeers();
after(() => peers.close());

const IDLE_MS = 60_000;
const POST = { method: "POST", path: "/mcp", headers: ["x-a", "1"], body: Buffer.from("{}") } as const;

function egressFor(t: { after(task: () => void): void }, limits = {}) {
  const egress = createEgress({ allow: parseAllowList(LOOPBACK_ALLOW), limits });
  t.after(() => egress.close());
  return egress;
}

/** A server that counts connections and requests; `answer` gets the number of the request over all connections. */
async function peer(answer: (socket: Socket, request: number, text: string) => void) {
  const seen = { connections: 0, requests: [] as string[] };
  const origin = await peers.tcp((socket) => {
    seen.connections++;
    socket.on("data", (bytes) => {
      seen.requests.push(bytes.toString("latin1"));
      answer(socket, seen.requests.length, bytes.toString("latin1"));
    });
  });
  return { origin, seen };
}

describe("a wire", () => {
  it("sends each request in one write, on the same connection", async (t) => {
    const { origin, seen } = await peer((socket, n) => socket.write(ok(`answer ${n}`)));
    const wire = egressFor(t).wire(origin);
    for (const n of [1, 2, 3]) {
      const exchange = new RecordedExchange();
      wire.send({ ...POST, ownHeaders: ["x-b", String(n)] }, IDLE_MS, exchange);
      assert.equal(await exchange.over.promise, "end");
      assert.equal(exchange.body, `answer ${n}`);
    }
    assert.equal(seen.connections, 1);
    const host = new URL(origin).host;
    assert.equal(
      seen.requests[1],
      `POST /mcp HTTP/1.1\r\nhost: ${host}\r\nx-a: 1\r\nx-b: 2\r\ncontent-length: 2\r\n\r\n{}`,
    );
  });

  it("opens a connection per request up to its limit; further requests are queued", async (t) => {
    const sockets: Socket[] = [];
    const { origin, seen } = await peer((socket) => void sockets.push(socket));
    const wire = egressFor(t, { connectionsPerOrigin: 2 }).wire(origin);
    const all = [new RecordedExchange(), new RecordedExchange(), new RecordedExchange()];
    for (const exchange of all) wire.send(POST, IDLE_MS, exchange);
    await Promise.all([all[0]?.started.promise, all[1]?.started.promise]);
    assert.equal(wire.load, 3);
    assert.equal(all[2]?.control, undefined);
    while (sockets.length < 2) await new Promise(setImmediate);
    sockets[0]?.write(ok("first"));
    await all[2]?.started.promise;
    while (sockets.length < 3) await new Promise(setImmediate);
    for (const socket of sockets.slice(1)) socket.write(ok("later"));
    assert.deepEqual(await Promise.all(all.map(({ over }) => over.promise)), ["end", "end", "end"]);
    assert.equal(seen.connections, 2);
    assert.equal(wire.load, 0);
  });

  for (const ending of ["content-length", "connection: close"] as const) {
    it(`passes a response that takes long to process on completely, while others are active (${ending})`, async (t) => {
      const body = Array.from({ length: 8_000 }, (_, n) => `line ${n} of a response\n`).join("");
      const { origin } = await peer((socket) => {
        if (ending === "content-length") socket.write(ok(body));
        else socket.end(`HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${body}`);
      });
      const quiet = await peer((socket) => socket.write(ok("quiet")));
      const egress = egressFor(t);
      const slow = new RecordedExchange();
      let pieces = 0;
      slow.onData = () => {
        // The first piece makes the origin one that is read in turns.
        const until = performance.now() + (pieces === 0 ? 30 : 1);
        while (performance.now() < until);
        if (++pieces % 10 !== 0) return;
        slow.control?.pause(slow);
        setTimeout(() => slow.control?.resume(slow), 5);
      };
      egress.wire(origin).send(POST, IDLE_MS, slow);
      let others = 0;
      let isOver = false;
      void slow.over.promise.then(() => (isOver = true));
      while (!isOver) {
        const exchange = new RecordedExchange();
        egress.wire(quiet.origin).send(POST, IDLE_MS, exchange);
        assert.equal(await exchange.over.promise, "end");
        others++;
      }
      assert.equal(await slow.over.promise, "end");
      assert.ok(slow.body === body);
      assert.ok(pieces > 20 && others > 20, `${pieces} pieces, ${others} other exchanges`);
    });
  }

  it("never sends a queued request that was canceled", async (t) => {
    let first: Socket | undefined;
    const { origin, seen } = await peer((socket) => (first = socket));
    const wire = egressFor(t, { connectionsPerOrigin: 1 }).wire(origin);
    const [one, unwanted, three] = [new RecordedExchange(), new RecordedExchange(), new RecordedExchange()];
    wire.send(POST, IDLE_MS, one);
    wire.send({ ...POST, path: "/unwanted" }, IDLE_MS, unwanted);
    wire.send({ ...POST, path: "/three" }, IDLE_MS, three);
    assert.ok(wire.forget(unwanted));
    assert.equal(wire.load, 2, "the canceled requests are gone");
    while (!first) await new Promise(setImmediate);
    first.write(ok("1"));
    await three.started.promise;
    while (seen.requests.length < 2) await new Promise(setImmediate);
    assert.ok(seen.requests[1]?.startsWith("POST /three "));
  });

  it("does not reuse a connection with bytes after the response (GW-3)", async (t) => {
    const { origin, seen } = await peer((socket, n) => socket.write(ok(`own ${n}`) + (n === 1 ? ok("smuggled") : "")));
    const wire = egressFor(t).wire(origin);
    for (const n of [1, 2]) {
      const exchange = new RecordedExchange();
      wire.send(POST, IDLE_MS, exchange);
      assert.equal(await exchange.over.promise, "end");
      assert.equal(exchange.body, `own ${n}`);
    }
    assert.equal(seen.connections, 2);
  });

  it("does not reuse a connection with unsolicited bytes", async (t) => {
    const used: Socket[] = [];
    const { origin, seen } = await peer((socket, n) => {
      used.push(socket);
      socket.write(ok(`own ${n}`));
    });
    const wire = egressFor(t).wire(origin);
    const [one, two] = [new RecordedExchange(), new RecordedExchange()];
    wire.send(POST, IDLE_MS, one);
    await one.over.promise;
    const [first] = used;
    assert.ok(first);
    first.write(ok("unasked"));
    await once(first, "close");
    wire.send(POST, IDLE_MS, two);
    await two.over.promise;
    assert.deepEqual([two.body, seen.connections], ["own 2", 2]);
  });

  for (const [what, headers] of [
    ["announces that it closes the connection", "connection: close\r\n"],
    ["announces that it keeps the connection for only a second", "keep-alive: timeout=1\r\n"],
  ] as const) {
    it(`opens a new connection when the peer ${what}`, async (t) => {
      const { origin, seen } = await peer((socket) => socket.write(ok("x", headers)));
      const wire = egressFor(t).wire(origin);
      for (const _ of [1, 2]) {
        const exchange = new RecordedExchange();
        wire.send(POST, IDLE_MS, exchange);
        assert.equal(await exchange.over.promise, "end");
      }
      assert.equal(seen.connections, 2);
    });
  }

  it("opens a new connection when the response arrived before the request was sent completely", async (t) => {
    const { origin, seen } = await peer((socket, n) => {
      if (n === 1) socket.pause();
      socket.write(ok(`own ${n}`));
    });
    const wire = egressFor(t).wire(origin);
    const [one, two] = [new RecordedExchange(), new RecordedExchange()];
    wire.send({ ...POST, body: Buffer.alloc(32 * 1024 * 1024) }, IDLE_MS, one);
    assert.equal(await one.over.promise, "end");
    wire.send(POST, IDLE_MS, two);
    assert.equal(await two.over.promise, "end");
    assert.deepEqual([two.body, seen.connections], ["own 2", 2]);
  });

  it("reads a response that ends with its connection", async (t) => {
    const { origin } = await peer((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\nall of it"));
    const exchange = new RecordedExchange();
    egressFor(t).wire(origin).send(POST, IDLE_MS, exchange);
    assert.equal(await exchange.over.promise, "end");
    assert.equal(exchange.body, "all of it");
  });
});

describe("every error on a wire is reported once", () => {
  const cases: readonly (readonly [string, string, (socket: Socket) => void])[] = [
    ["a connection closed before the response", "reset", (socket) => socket.end()],
    [
      "a connection reset during the response",
      "reset",
      (socket) => socket.write("HTTP/1.1 2", () => socket.resetAndDestroy()),
    ],
    [
      "a response shorter than announced",
      "reset",
      (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx"),
    ],
    ["a response that is not HTTP", "protocol", (socket) => socket.write("SSH-2.0-x\r\n\r\n")],
    ["an endless head", "too-large", (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(40_000)}`)],
    ["endless interim responses", "protocol", (socket) => socket.write("HTTP/1.1 103 Hints\r\n\r\n".repeat(100))],
    ["silence", "timeout", () => {}],
    ["silence in the middle", "timeout", (socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx")],
  ];
  for (const [what, kind, answer] of cases) {
    it(`${what}: ${kind}`, async (t) => {
      const { origin } = await peer(answer);
      const exchange = new RecordedExchange();
      egressFor(t)
        .wire(origin)
        .send(POST, kind === "timeout" ? 50 : IDLE_MS, exchange);
      assert.equal(await exchange.over.promise, kind);
    });
  }

  it("reports a refused connection to every queued request, including those beyond the connection limit", async (t) => {
    const closed = new LoopbackPeers();
    const origin = await closed.tcp(() => {});
    await closed.close();
    const wire = egressFor(t, { connectionsPerOrigin: 2 }).wire(origin);
    const all = [
      new RecordedExchange(),
      new RecordedExchange(),
      new RecordedExchange(),
      new RecordedExchange(),
      new RecordedExchange(),
    ];
    for (const exchange of all) wire.send(POST, IDLE_MS, exchange);
    for (const exchange of all) assert.equal(await exchange.over.promise, "connect");
  });

  it("does not send an invalid path or header", async (t) => {
    const { origin, seen } = await peer(() => {});
    const wire = egressFor(t).wire(origin);
    const bad = [
      { path: "/a b" },
      { path: "/a\r\nx: y" },
      { path: "a" },
      { headers: ["x", "a\r\nb: c"] },
      { headers: ["x y", "a"] },
      { headers: ["Host", "other"] },
      { headers: ["transfer-encoding", "chunked"] },
      { ownHeaders: ["content-length", "1"] },
      { ownHeaders: ["x", "\u{1f600}"] },
    ];
    for (const part of bad) {
      assert.throws(() => wire.send({ ...POST, ...part }, IDLE_MS, new RecordedExchange()), {
        kind: "refused",
        nothingSent: true,
      });
    }
    assert.equal(seen.connections, 0);
  });
});

describe("control over an exchange", () => {
  it("closes its connection when it is aborted, and later use of the same control affects no other exchange", async (t) => {
    const { origin } = await peer((socket, n) => n === 2 && socket.write(ok("two")));
    const wire = egressFor(t).wire(origin);
    const one = new RecordedExchange();
    wire.send(POST, IDLE_MS, one);
    await one.started.promise;
    one.control?.abort(one, new Error("enough"));
    await one.over.promise;
    const two = new RecordedExchange();
    wire.send(POST, IDLE_MS, two);
    assert.equal(await two.over.promise, "end");
    const three = new RecordedExchange();
    wire.send(POST, IDLE_MS, three);
    await three.started.promise;
    two.control?.abort(two, new Error("too late"));
    two.control?.pause(two);
    assert.equal(wire.load, 1);
  });

  it("stops reading when paused, and the pause does not count as the peer's silence", async (t) => {
    const { origin } = await peer((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 4000000\r\n\r\n${"x".repeat(4_000_000)}`),
    );
    const clock = testClock();
    const egress = createEgress({ allow: parseAllowList(LOOPBACK_ALLOW), clock });
    t.after(() => egress.close());
    const exchange = new RecordedExchange();
    exchange.onData = () => {
      exchange.control?.pause(exchange);
      exchange.onData = () => {};
      setImmediate(() => {
        clock.advance(2 * IDLE_MS);
        exchange.control?.resume(exchange);
      });
    };
    egress.wire(origin).send(POST, IDLE_MS, exchange);
    assert.equal(await exchange.over.promise, "end");
    assert.equal(exchange.body.length, 4_000_000);
  });

  it("fails queued requests and requests in progress on close, and accepts no new ones", async () => {
    const { origin } = await peer(() => {});
    const egress = createEgress({ allow: parseAllowList(LOOPBACK_ALLOW), limits: { connectionsPerOrigin: 1 } });
    const wire = egress.wire(origin);
    const [one, two] = [new RecordedExchange(), new RecordedExchange()];
    wire.send(POST, IDLE_MS, one);
    wire.send(POST, IDLE_MS, two);
    await one.started.promise;
    egress.close();
    assert.deepEqual(await Promise.all([one.over.promise, two.over.promise]), ["closed", "closed"]);
    assert.deepEqual([one.nothingSent, two.nothingSent], [false, true], "the sent one may have been executed (GW-14)");
    assert.throws(() => wire.send(POST, IDLE_MS, new RecordedExchange()), { kind: "closed" });
  });
});
