import assert from "node:assert/strict";
import { once } from "node:events";
import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import { createListener, type ListenerOptions, type RequestHandlers } from "./listener.ts";

const LOOPBACK: ListenerOptions = {
  hosts: new Set(["127.0.0.1", "localhost", "[::1]", "gate.example.com"]),
  origins: new Set(["https://gate.example.com"]),
  connections: { perAddress: 0, exempt: [] },
  observe: () => {},
  closed: { add() {} },
};

function room(name: string) {
  return (_request: IncomingMessage, response: ServerResponse) => void response.end(name);
}

async function start(options: ListenerOptions, handlers: Partial<RequestHandlers> = {}): Promise<Server> {
  const all = {
    gateway: room("gateway"),
    api: room("api"),
    logos: (path: string) => (path === "letters/g.svg" ? "<svg/>" : undefined),
    isDraining: () => false,
    isOverloaded: () => false,
    notReadyBecause: () => undefined,
    degradedBecause: () => undefined,
    ...handlers,
  };
  const listener = createListener(all, options);
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  return listener;
}

async function ask(listener: Server, path: string, headers: Record<string, string> = {}, method = "GET") {
  const { port } = listener.address() as AddressInfo; // a TCP listener's address is never a path
  const request = httpRequest({ host: "127.0.0.1", port, path, headers, method, agent: false }).end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const chunks = await response.toArray();
  const answer: { status: number | undefined; headers: IncomingHttpHeaders; text: string } = {
    status: response.statusCode,
    headers: response.headers,
    text: Buffer.concat(chunks).toString(),
  };
  return answer;
}

describe("the listener on loopback (AUTH-9)", () => {
  let listener: Server;
  before(async () => {
    listener = await start(LOOPBACK);
  });
  after(() => listener.close());

  const allowed: Record<string, string>[] = [
    {},
    { host: "localhost" },
    { host: "LOCALHOST:8080" },
    { host: "[::1]:8080" },
    { host: "gate.example.com" },
    { host: "gate.example.com", origin: "https://gate.example.com" },
    { host: "127.0.0.1:8080", origin: "https://gate.example.com" },
    { host: "localhost:8080", origin: "http://localhost:8080" },
  ];
  for (const headers of allowed) {
    it(`serves ${JSON.stringify(headers)}`, async () => {
      assert.equal((await ask(listener, "/mcp", headers, "POST")).text, "gateway");
      assert.equal((await ask(listener, "/api/users", headers)).text, "api");
    });
  }

  const foreign: Record<string, string>[] = [
    { host: "evil.example" },
    { host: "evil.example:8080" },
    { host: "127.0.0.1.evil.example" },
    { host: "localhost.evil.example" },
    { host: "localhost@evil.example" },
    { host: "[::1].evil.example" },
    { host: "evil.example", origin: "http://evil.example" },
    { origin: "http://evil.example" },
    { origin: "null" },
    { origin: "" },
    { origin: "http://gate.example.com" },
    { origin: "https://gate.example.com.evil.example" },
    { host: "localhost:8080", origin: "http://localhost:9999" },
    { host: "localhost:8080", origin: "https://localhost:8080" },
  ];
  for (const headers of foreign) {
    it(`rejects ${JSON.stringify(headers)} everywhere except at the health endpoints`, async () => {
      for (const path of ["/mcp", "/api/users", "/", "/logos/letters/a.svg", "/openapi.json"]) {
        const { status, text } = await ask(listener, path, headers, "POST");
        assert.deepEqual([status, text], [403, '{"error":"Forbidden host or origin"}']);
      }
      assert.equal((await ask(listener, "/livez", headers)).status, 200);
    });
  }

  it("never sends CORS headers", async () => {
    for (const origin of ["https://gate.example.com", "http://evil.example"]) {
      const { headers } = await ask(listener, "/api/users", { origin }, "OPTIONS");
      assert.deepEqual(
        Object.keys(headers).filter((name) => name.startsWith("access-control")),
        [],
      );
    }
  });
});

describe("the listener on another address", () => {
  it("serves any host, but no foreign origin", async () => {
    const listener = await start({ ...LOOPBACK, hosts: undefined });
    assert.equal((await ask(listener, "/mcp", { host: "10.0.0.7" })).text, "gateway");
    const rebound = { host: "evil.example", origin: "http://evil.example" };
    assert.equal((await ask(listener, "/mcp", rebound)).status, 403);
    listener.close();
  });
});

describe("repeated headers", () => {
  const send = async (listener: Server, lines: readonly string[]) => {
    const { port } = listener.address() as AddressInfo; // a TCP listener's address is never a path
    const socket = connect(port, "127.0.0.1");
    socket.end(["GET /mcp HTTP/1.1", "connection: close", ...lines, "", ""].join("\r\n"));
    return (await text(socket)).split("\r\n")[0];
  };

  it("are rejected for Host and Authorization, in any spelling, and allowed for others", async () => {
    const listener = await start(LOOPBACK);
    const [ok, bad] = ["HTTP/1.1 200 OK", "HTTP/1.1 400 Bad Request"];
    assert.equal(await send(listener, ["host: localhost", "authorization: Bearer a"]), ok);
    assert.equal(await send(listener, ["host: localhost", "accept: a", "accept: b"]), ok);
    assert.equal(await send(listener, ["host: localhost", "Host: localhost"]), bad);
    assert.equal(await send(listener, ["host: localhost", "HOST: evil.example"]), bad);
    assert.equal(await send(listener, ["host: localhost", "authorization: a", "Authorization: a"]), bad);
    listener.close();
  });
});

describe("routing", () => {
  let listener: Server;
  before(async () => {
    listener = await start(LOOPBACK);
  });
  after(() => listener.close());

  for (const [path, text] of [
    ["/mcp", "gateway"],
    ["/mcp?mcp=echo", "gateway"],
    ["/mcp/echo", "gateway"],
    ["/mcp/no-such-server?x=1", "gateway"],
    ["/mcp/", "api"],
    ["/mcp/echo/", "api"],
    ["/mcp/echo/tools", "api"],
    ["/mcp/Echo", "api"],
    ["/mcp/%65cho", "api"],
    ["/mcpx", "api"],
    ["/MCP", "api"],
    ["//mcp", "api"],
    ["/.well-known/oauth-protected-resource/mcp", "api"],
    ["http://127.0.0.1/mcp", "api"],
  ] as const) {
    it(`routes ${path} to the ${text}`, async () => assert.equal((await ask(listener, path)).text, text));
  }

  it("routes /mcp to the API's 404 in a process without a gateway", async () => {
    const admin = await start(LOOPBACK, { gateway: undefined });
    assert.equal((await ask(admin, "/mcp")).text, "api");
    admin.close();
  });

  it("serves logos that are inert in a browser (D29)", async () => {
    const { status, headers, text } = await ask(listener, "/logos/letters/g.svg?v=1");
    assert.deepEqual([status, text], [200, "<svg/>"]);
    assert.equal(headers["content-type"], "image/svg+xml");
    assert.equal(headers["content-security-policy"], "default-src 'none'; sandbox");
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal(headers["cache-control"], "public, max-age=86400");
  });

  it("answers 304 if the client has the logo", async () => {
    const { etag = "" } = (await ask(listener, "/logos/letters/g.svg")).headers;
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const { status, headers, text } = await ask(listener, "/logos/letters/g.svg", { "if-none-match": tag });
      assert.deepEqual([status, headers.etag, text], [304, etag, ""], tag);
    }
    const other = await ask(listener, "/logos/letters/g.svg", { "if-none-match": '"other"' });
    assert.deepEqual([other.status, other.text], [200, "<svg/>"]);
  });

  it("answers 404 for an unknown logo", async () => {
    const { status, text } = await ask(listener, "/logos/letters/h.svg");
    assert.deepEqual([status, text], [404, '{"error":"Not found"}']);
  });
});

describe("health", () => {
  it("reports liveness and readiness, and nothing else (WEB-9)", async () => {
    let reason: string | undefined;
    const listener = await start(LOOPBACK, { notReadyBecause: () => reason });
    const live = await ask(listener, "/livez?x=1");
    assert.deepEqual([live.status, live.text], [200, '{"status":"alive"}']);
    const ready = await ask(listener, "/readyz");
    assert.deepEqual([ready.status, ready.text], [200, '{"status":"ready"}']);
    reason = "shutting down";
    const notReady = await ask(listener, "/readyz");
    assert.deepEqual([notReady.status, notReady.text], [503, '{"status":"not ready","reason":"shutting down"}']);
    assert.equal((await ask(listener, "/livez")).status, 200);
    for (const { headers } of [live, ready, notReady]) {
      assert.deepEqual(Object.keys(headers).sort(), [
        "cache-control",
        "connection",
        "content-type",
        "date",
        "transfer-encoding",
      ]);
    }
    listener.close();
  });
});

describe("pipelined requests", () => {
  it("are answered in their order, and a connection with too many that wait is closed", async () => {
    const waiting: ServerResponse[] = [];
    const reasons: string[] = [];
    const closed = { add: (reason: string) => void reasons.push(reason) };
    const listener = await start({ ...LOOPBACK, closed }, { api: (_request, response) => void waiting.push(response) });
    const { port } = listener.address() as AddressInfo; // a TCP listener's address is never a path
    const send = (count: number) => {
      const socket = connect(port, "127.0.0.1");
      socket.write("GET /api/users HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(count));
      return socket;
    };
    const accepted = send(9);
    while (waiting.length < 9) await new Promise(setImmediate);
    for (const response of waiting.splice(0).reverse()) response.end("served");
    let received = "";
    for await (const chunk of accepted) {
      received += chunk;
      if (received.split("served").length > 9) break;
    }
    const refused = send(10);
    refused.resume();
    await once(refused, "close");
    assert.equal(waiting.length, 9);
    assert.deepEqual(reasons, ["pipelined"]);
    listener.close();
  });
});
