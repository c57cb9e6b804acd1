/** `request` and `fetch` against servers on loopback (OA-7, GW-11, GW-15). */
import assert from "node:assert/strict";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { afterEach, beforeEach, describe, it } from "node:test";
import { LoopbackPeers } from "#test/loopback-peers";
import { createEgress, type Egress, type EgressRequest, parseAllowList } from "./egress.ts";

let egress: Egress;
const peers = new LoopbackPeers();

beforeEach(() => {
  egress = createEgress({ allow: parseAllowList("127.0.0.1") });
});
afterEach(async () => {
  await egress.close();
  await peers.close();
});

const get = (url: string, more: Partial<EgressRequest> = {}) =>
  egress.request({ method: "GET", url, maxBytes: 1_000_000, ...more });

describe("an exchange", () => {
  it("sends method, path, headers and body, requests identity, and returns status, headers and body", async () => {
    let seen:
      | { method: string | undefined; url: string | undefined; headers: IncomingHttpHeaders; body: string }
      | undefined;
    const origin = await peers.http(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      seen = { method: request.method, url: request.url, headers: request.headers, body };
      response.writeHead(418, { "x-one": "1", "set-cookie": ["a=1", "b=2"] }).end("short and stout");
    });
    const response = await egress.request({
      method: "post",
      url: `${origin}/a/b?c=d#e`,
      headers: { "Content-Type": "text/plain", "Accept-Encoding": "br" },
      body: "grüße",
      maxBytes: 100,
    });
    assert.equal(response.status, 418);
    assert.equal(response.headers["x-one"], "1");
    assert.deepEqual(response.headers["set-cookie"], ["a=1", "b=2"]);
    assert.equal(response.body.toString(), "short and stout");
    assert.equal(seen?.method, "POST");
    assert.equal(seen?.url, "/a/b?c=d");
    assert.equal(seen?.body, "grüße");
    assert.deepEqual(
      { ...seen?.headers },
      {
        host: new URL(origin).host,
        connection: "keep-alive",
        "content-type": "text/plain",
        "accept-encoding": "identity",
        "content-length": "7",
      },
    );
  });

  it("reuses its connections", async () => {
    let connections = 0;
    const server = createServer((_request, response) => response.end("ok"));
    server.on("connection", () => connections++);
    const origin = `http://127.0.0.1:${await peers.listen(server)}`;
    for (let i = 0; i < 20; i++) await get(origin);
    // A second one opens while the first is being returned to the pool.
    assert.ok(connections <= 2);
  });

  it("skips interim responses", async () => {
    const origin = await peers.raw(
      "HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok",
    );
    const response = await get(origin);
    assert.equal(response.status, 200);
    assert.equal(response.body.toString(), "ok");
  });
});

describe("headers and methods", () => {
  it("that contain line breaks are rejected before anything is sent", async () => {
    let requests = 0;
    const origin = await peers.http((_request, response) => {
      requests++;
      response.end();
    });
    const bad: Record<string, string>[] = [
      { "x-a": "1\r\nx-evil: 1" },
      { "x-a": "1\nx-evil: 1" },
      { "x-a": "1\r" },
      { "x-a": "nul\0" },
      { "x-a": "bell\x07" },
      { "x-a": "\x7f" },
      { "x-a": "snowman ☃" },
      { "x a": "1" },
      { "x-a\r\nx-evil": "1" },
      { "x:a": "1" },
      { "": "1" },
      { Host: "evil.test" },
      { "Transfer-Encoding": "chunked" },
      { "content-length": "0" },
      { connection: "upgrade" },
      { upgrade: "h2c" },
    ];
    for (const headers of bad) {
      await assert.rejects(get(origin, { headers }), { kind: "refused", nothingSent: true }, JSON.stringify(headers));
    }
    await assert.rejects(get(origin, { method: "GET / HTTP/1.1\r\nx-evil: 1\r\n\r\nGET" }), { kind: "refused" });
    assert.equal(requests, 0);
  });

  it("never appear with their value in an error", async () => {
    const origin = await peers.http((_request, response) => response.end());
    await assert.rejects(get(origin, { headers: { authorization: "Bearer hunter2\n" } }), (error: Error) => {
      return !error.message.includes("hunter2");
    });
  });
});

describe("redirects", () => {
  const credentials = {
    Authorization: "Bearer s3cret",
    "x-api-key": "s3cret",
    cookie: "s=3",
    "x-custom": "s3cret",
    accept: "a/b",
  };

  async function redirectTo(location: string, status = 302): Promise<string> {
    return peers.http((_request, response) => response.writeHead(status, { location }).end("moved"));
  }

  it("are returned as they are unless following is requested", async () => {
    const origin = await redirectTo("http://127.0.0.1:1/sink");
    const response = await get(origin, { headers: credentials });
    assert.equal(response.status, 302);
    assert.equal(response.headers.location, "http://127.0.0.1:1/sink");
    assert.equal((await egress.fetch(origin)).status, 302);
    await assert.rejects(egress.fetch(origin, { redirect: "error" }), { kind: "redirect" });
  });

  it("to another origin carry no credentials, in any header", async () => {
    const seen: IncomingHttpHeaders[] = [];
    const sink = await peers.http((request, response) => {
      seen.push(request.headers);
      response.end("arrived");
    });
    for (const status of [301, 302, 303, 307, 308]) {
      const origin = await redirectTo(`${sink}/x`, status);
      const response = await get(origin, { headers: credentials, followRedirects: 1 });
      assert.equal(response.body.toString(), "arrived");
      assert.equal(response.url, `${sink}/x`);
    }
    assert.equal(seen.length, 5);
    for (const headers of seen) {
      assert.deepEqual(Object.keys(headers).sort(), ["accept", "accept-encoding", "connection", "host"]);
    }
  });

  it("within one origin keep the headers", async () => {
    const origin = await peers.http((request, response) => {
      if (request.url === "/") response.writeHead(302, { location: "/next" }).end();
      else response.end(request.headers.authorization);
    });
    const response = await get(origin, { headers: credentials, followRedirects: 3 });
    assert.equal(response.body.toString(), "Bearer s3cret");
  });

  it("are checked at each hop like a first request", async () => {
    for (const [target, kind] of [
      ["http://169.254.169.254/latest/meta-data", "refused"],
      ["http://127.0.0.2/", "refused"],
      ["http://metadata.google.internal/", "refused"],
      ["file:///etc/passwd", "refused"],
      ["http://user:pw@127.0.0.1/", "refused"],
      ["http://[", "redirect"],
    ] as const) {
      const origin = await redirectTo(target);
      await assert.rejects(get(origin, { followRedirects: 3 }), { kind }, target);
    }
  });

  it("end after the requested number, and after three in any case", async () => {
    let requests = 0;
    const origin = await peers.http((_request, response) => {
      requests++;
      response.writeHead(302, { location: `/${requests}` }).end();
    });
    await assert.rejects(get(origin, { followRedirects: 1 }), { kind: "redirect" });
    assert.equal(requests, 2);
    requests = 0;
    await assert.rejects(get(origin, { followRedirects: 99 }), { kind: "redirect" });
    assert.equal(requests, 4);
  });

  it("are followed only for GET", async () => {
    const origin = await redirectTo("/next");
    const response = await get(origin, { method: "POST", body: "x", followRedirects: 3 });
    assert.equal(response.status, 302);
  });
});

describe("deadlines", () => {
  it("a connection that stays silent before or during its response times out", async () => {
    const silent = await peers.tcp(() => {});
    const half = await peers.raw("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc");
    // The first half arrives in time, also on a busy machine.
    const timeouts = { idleMs: 2_000 };
    await Promise.all([
      assert.rejects(get(silent, { timeouts }), { kind: "timeout", message: /did not start its response in time$/ }),
      assert.rejects(get(half, { timeouts }), { kind: "timeout", message: /stopped sending in the middle/ }),
    ]);
  });

  it("the total timeout ends a slow response", async () => {
    const trickle = await peers.http((_request, response) => {
      const timer = setInterval(() => response.write("."), 5);
      response.on("close", () => clearInterval(timer));
    });
    await assert.rejects(get(trickle, { timeouts: { totalMs: 40 } }), {
      kind: "timeout",
      message: /did not respond within 0.04 s$/,
    });
  });

  it("the caller's signal cancels, before and during", async () => {
    const silent = await peers.tcp(() => {});
    await assert.rejects(get(silent, { signal: AbortSignal.abort() }), { kind: "cancelled" });
    const controller = new AbortController();
    const waiting = assert.rejects(get(silent, { signal: controller.signal }), { kind: "cancelled" });
    setImmediate(() => controller.abort());
    await waiting;
  });

  it("closing ends requests in progress and rejects later ones", async () => {
    const silent = await peers.tcp((socket) => socket.once("data", () => void egress.close()));
    await assert.rejects(get(silent), { kind: "closed" });
    await assert.rejects(get(silent), { kind: "closed", nothingSent: true });
  });
});

describe("fetch", () => {
  it("accepts what OAuth libraries pass and returns a Response", async () => {
    const origin = await peers.http(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ method: request.method, type: request.headers["content-type"], body }));
    });
    const response = await egress.fetch(new URL(origin), {
      method: "POST",
      headers: new Headers({ accept: "application/json" }),
      body: new URLSearchParams({ grant_type: "refresh_token" }),
      redirect: "manual",
    });
    assert.equal(response.headers.get("content-type"), "application/json");
    assert.deepEqual(await response.json(), {
      method: "POST",
      type: "application/x-www-form-urlencoded;charset=UTF-8",
      body: "grant_type=refresh_token",
    });
    const again = await egress.fetch(new Request(origin, { method: "PUT", body: "x" }));
    assert.deepEqual(await again.json(), { method: "PUT", type: "text/plain;charset=UTF-8", body: "x" });
  });

  it("limits the size, and returns an empty body for statuses without one", async () => {
    const origin = await peers.http((request, response) => {
      if (request.url === "/none") response.writeHead(204).end();
      else response.end(Buffer.alloc(2 * 1024 * 1024));
    });
    assert.equal((await egress.fetch(`${origin}/none`)).body, null);
    await assert.rejects(egress.fetch(origin), { kind: "too-large" });
  });
});
