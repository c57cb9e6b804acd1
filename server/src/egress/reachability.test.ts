/** OA-6, against a sink that listens on every address of this machine and counts connections. */
import assert from "node:assert/strict";
import { connect, createServer, type Socket } from "node:net";
import { after, before, beforeEach, describe, it } from "node:test";
import { createServer as createTlsServer } from "node:tls";
import { systemClock } from "#lib/clock";
import { LoopbackPeers } from "#test/loopback-peers";
import { createConnector, createSystemResolve, type Resolve } from "./connector.ts";
import { createEgress, type EgressOptions, EgressRefused, parseAllowList, type Wire } from "./egress.ts";

const peers = new LoopbackPeers();
let port: number;
let connections = 0;

before(async () => {
  const sink = () =>
    createServer((socket) => {
      connections++;
      answer(socket);
    });
  // Both families on one port; without IPv6, only IPv4.
  port = await peers.listen(sink(), "::").catch(() => peers.listen(sink(), "0.0.0.0"));
});
beforeEach(() => {
  connections = 0;
});
after(() => peers.close());

function answer(socket: Socket): void {
  socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok"));
}

/** Answers of an attacker's name server. */
const NAMES: Record<string, string[]> = {
  "loopback.attacker.test": ["127.0.0.1"],
  "loopback6.attacker.test": ["::1"],
  "mapped.attacker.test": ["::ffff:127.0.0.1"],
  "compatible.attacker.test": ["::7f00:1"],
  "any.attacker.test": ["0.0.0.0"],
  "any6.attacker.test": ["::"],
  "mixed.attacker.test": ["93.184.215.14", "127.0.0.1"],
  "mixed6.attacker.test": ["2606:4700:4700::1111", "::1"],
  "metadata.attacker.test": ["169.254.169.254"],
  "metadata6.attacker.test": ["fd00:ec2::254"],
  "scoped.attacker.test": ["fe80::1%lo"],
  "nat64.attacker.test": ["64:ff9b::7f00:1"],
  "garbage.attacker.test": ["127.1"],
  localhost: ["127.0.0.1", "::1"],
  "localhost.": ["127.0.0.1"],
  "app.localhost": ["127.0.0.1"],
  "internal.corp": ["10.0.0.5"],
};
const resolve: Resolve = async (hostname) =>
  (NAMES[hostname] ?? []).map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

async function withEgress<T>(
  options: Partial<EgressOptions>,
  use: (egress: ReturnType<typeof createEgress>) => T,
): Promise<Awaited<T>> {
  const egress = createEgress({ allow: parseAllowList(""), resolve, ...options });
  try {
    return await use(egress);
  } finally {
    await egress.close();
  }
}

const get = (egress: ReturnType<typeof createEgress>, url: string) =>
  egress.request({ method: "GET", url, maxBytes: 100 });

/** HOST is the host of a URL. */
const FORBIDDEN_HOSTS = [
  ...["127.0.0.1", "127.1", "127.0.1", "127.0.0.2", "127.255.255.254", "127.0.0.1."],
  ...["2130706433", "0x7f000001", "0x7f.0x0.0x0.0x1", "0x7f.1", "0X7F.0.0.1", "017700000001", "0177.0.0.1", "0177.1"],
  ...["00000177.0.0.1", "0x7f.0.0.01", "127.0x0.1", "%31%32%37.0.0.1", "127%2e0.0.1"],
  ...["127。0。0。1", "127.0.0.1", "127.0.0。1", "①②⑦.⓪.⓪.①", "𝟏𝟐𝟕.𝟎.𝟎.𝟏", "0x𝟕f.1"],
  ...["0", "0.0.0.0", "0.0", "0x0", "00", "0.1.2.3"],
  ...["10.0.0.1", "167772161", "0xa000001", "012.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "0xc0a80101"],
  ...["100.64.0.1", "100.127.255.255", "192.0.0.1", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1"],
  ...["224.0.0.1", "240.0.0.1", "255.255.255.255", "4294967295"],
  ...["169.254.169.254", "2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "169.254.43518", "169.254.170.2"],
  ...["100.100.100.200", "168.63.129.16", "192.0.0.192"],
  ...["[::1]", "[0:0:0:0:0:0:0:1]", "[0000::0001]", "[::]", "[0::0]", "[::0.0.0.1]"],
  ...["[::ffff:127.0.0.1]", "[::FFFF:7f00:1]", "[0:0:0:0:0:ffff:127.0.0.1]", "[::ffff:0:0]", "[::ffff:10.0.0.1]"],
  ...["[::127.0.0.1]", "[::7f00:1]", "[::ffff:0:127.0.0.1]", "[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]"],
  ...["[64:ff9b:1::7f00:1]", "[2002:7f00:1::]", "[2002:7f00:1::1]", "[2001:0:7f00:1::]", "[2001:db8::1]"],
  ...[
    "[fe80::1]",
    "[fd00:ec2::254]",
    "[fc00::1]",
    "[fdff::1]",
    "[fec0::1]",
    "[ff02::1]",
    "[100::1]",
    "[::ffff:a9fe:a9fe]",
  ],
  ...["metadata.google.internal", "METADATA.google.internal.", "metadata", "instance-data"],
  ...["user@127.0.0.1", "user:pass@127.0.0.1", "example.com@127.0.0.1", "127.0.0.1@localhost", "@127.0.0.1"],
  ...Object.keys(NAMES),
  ...["LOCALHOST", "LocalHost.", "localhost", "ⓛocalhost"],
];

describe("a forbidden host", () => {
  it("is not reachable under any spelling, by request, by fetch, or by a pool", async () => {
    assert.ok(FORBIDDEN_HOSTS.length >= 60);
    await withEgress({}, async (egress) => {
      for (const host of FORBIDDEN_HOSTS) {
        for (const scheme of ["http", "https"]) {
          const url = `${scheme}://${host}:${port}/`;
          await assert.rejects(get(egress, url), EgressRefused, url);
        }
        await assert.rejects(egress.fetch(`http://${host}:${port}/`), host);
        await assert.rejects(async () => sendOver(egress.wire(`http://${host}:${port}`)), EgressRefused, host);
      }
    });
    assert.equal(connections, 0);
  });

  it("would have been counted by the sink", async () => {
    await withEgress({ allow: parseAllowList("0.0.0.0/8,127.0.0.0/8,::1,::") }, async (egress) => {
      assert.equal((await get(egress, `http://2130706433:${port}/`)).status, 200);
      assert.equal((await get(egress, `http://loopback.attacker.test:${port}/`)).status, 200);
      assert.equal((await get(egress, `http://[::ffff:7f00:1]:${port}/`)).status, 200);
    });
    assert.equal(connections, 3);
  });

  it("is rejected with the system's resolver as well", async () => {
    await withEgress({ resolve: createSystemResolve() }, async (egress) => {
      await assert.rejects(get(egress, `http://localhost:${port}/`), {
        name: "EgressRefused",
        message: /^address (127\.0\.0\.1|::1) of host "localhost" is loopback; add it to EGRESS_ALLOW to allow it$/,
      });
    });
    assert.equal(connections, 0);
  });

  it("is rejected by the connector, without any earlier check", async () => {
    const connector = createConnector({
      allow: parseAllowList(""),
      resolve,
      clock: systemClock,
      connectTimeoutMs: 5_000,
    });
    for (const hostname of ["127.0.0.1", "::1", "::ffff:127.0.0.1", "::7f00:1", "0.0.0.0", "::", "metadata"]) {
      const error = await new Promise((settle) =>
        connector({ hostname, protocol: "http:", port: String(port) }, (...outcome) => {
          outcome[1]?.destroy();
          settle(outcome[0]);
        }),
      );
      assert.ok(error instanceof EgressRefused, hostname);
    }
    assert.equal(connections, 0);
  });
});

function sendOver(wire: Wire): Promise<number> {
  return new Promise((settle, reject) => {
    wire.send({ method: "GET", path: "/", headers: [], body: null }, 1_000, {
      start: () => true,
      head: ({ status }) => settle(status),
      data() {},
      end() {},
      failed: reject,
    });
  });
}

describe("a name that changes its address", () => {
  it("is checked again for each connection, which goes to the checked address", async () => {
    // 127.0.0.1 is allowed and represents the public address; the name changes to 127.0.0.2 after the first lookup.
    let asked = 0;
    const rebinding: Resolve = async () => [{ address: asked++ === 0 ? "127.0.0.1" : "127.0.0.2", family: 4 }];
    await withEgress({ resolve: rebinding, allow: parseAllowList("127.0.0.1") }, async (egress) => {
      assert.equal((await get(egress, `http://rebind.attacker.test:${port}/`)).status, 200);
      assert.equal(asked, 1);
      await assert.rejects(get(egress, `http://rebind.attacker.test:${port}/`), EgressRefused);
      assert.equal(asked, 2);
    });
    assert.equal(connections, 1);
  });

  it("is rejected when one of several addresses is forbidden, and the error names that address", async () => {
    await withEgress({}, async (egress) => {
      await assert.rejects(get(egress, `http://mixed.attacker.test:${port}/`), {
        message: 'address 127.0.0.1 of host "mixed.attacker.test" is loopback; add it to EGRESS_ALLOW to allow it',
      });
    });
    assert.equal(connections, 0);
  });

  it("falls back from one checked address to the next", async () => {
    const fourOnly = await peers.listen(createServer(answer));
    const both: Resolve = async () => [
      { address: "::1", family: 6 },
      { address: "127.0.0.1", family: 4 },
    ];
    await withEgress({ resolve: both, allow: parseAllowList("127.0.0.1,::1") }, async (egress) => {
      assert.equal((await get(egress, `http://two.test:${fourOnly}/`)).status, 200);
    });
  });
});

describe("EGRESS_ALLOW", () => {
  it("allows the listed address and no other", async () => {
    await withEgress({ allow: parseAllowList("127.0.0.1") }, async (egress) => {
      assert.equal((await get(egress, `http://127.0.0.1:${port}/`)).status, 200);
      assert.equal(await sendOver(egress.wire(`http://127.0.0.1:${port}`)), 200);
      await assert.rejects(get(egress, `http://127.0.0.2:${port}/`), EgressRefused);
      await assert.rejects(get(egress, `http://[::1]:${port}/`), EgressRefused);
    });
    assert.equal(connections, 2);
  });

  it("allows a listed host name, but not its address", async () => {
    await withEgress({ allow: parseAllowList("localhost") }, async (egress) => {
      assert.equal((await get(egress, `http://localhost:${port}/`)).status, 200);
      await assert.rejects(get(egress, `http://127.0.0.1:${port}/`), EgressRefused);
    });
    assert.equal(connections, 1);
  });
});

describe("a URL that is being saved", () => {
  it("is rejected for its scheme, its port, its user info or its literal address", () => {
    const egress = createEgress({ allow: parseAllowList("10.0.0.0/8"), resolve });
    const table: [string, string][] = [
      ["ftp://example.com/", 'URL scheme "ftp" is not allowed; use https or http'],
      ["file:///etc/passwd", 'URL scheme "file" is not allowed; use https or http'],
      ["javascript:alert(1)", 'URL scheme "javascript" is not allowed; use https or http'],
      ["example.com", "not a valid URL"],
      ["https://user:hunter2@example.com/", "URL must not contain a user name or password"],
      ["http://example.com:25/", "port 25 is not allowed"],
      ["http://192.168.0.1/", "address 192.168.0.1 is private; add it to EGRESS_ALLOW to allow it"],
      ["http://0xa9fea9fe/latest", "address 169.254.169.254 is link-local, which is never allowed"],
      ["http://metadata.google.internal/", 'host "metadata.google.internal" is cloud metadata, which is never allowed'],
    ];
    for (const [url, message] of table) {
      assert.throws(() => egress.assertReachableUrl(url), { name: "EgressRefused", kind: "refused", message }, url);
    }
  });

  it("is accepted without resolving its name", () => {
    const silent = createEgress({ allow: parseAllowList("10.0.0.0/8"), resolve: () => assert.fail("resolved") });
    assert.equal(silent.assertReachableUrl("https://Example.com/mcp").href, "https://example.com/mcp");
    assert.equal(silent.assertReachableUrl("http://10.1.2.3:8080/mcp").href, "http://10.1.2.3:8080/mcp");
    assert.equal(silent.assertReachableUrl("http://localhost/").hostname, "localhost");
  });
});

describe("a failed connection", () => {
  it("reports what happened, and that nothing was sent", async () => {
    const vacant = createServer();
    const closedPort = await peers.listen(vacant);
    await new Promise((done) => vacant.close(done));
    await withEgress({ allow: parseAllowList("127.0.0.1") }, async (egress) => {
      await assert.rejects(get(egress, `http://127.0.0.1:${closedPort}/`), {
        kind: "connect",
        nothingSent: true,
        message: 'host "127.0.0.1" does not accept connections',
      });
      await assert.rejects(get(egress, `http://nowhere.test:${port}/`), {
        kind: "connect",
        nothingSent: true,
        message: 'host "nowhere.test" could not be resolved',
      });
    });
  });

  it("ends at the connect timeout, which includes name resolution", async () => {
    const stuck: Resolve = () => new Promise(() => {});
    await withEgress({ resolve: stuck, limits: { connectTimeoutMs: 20 } }, async (egress) => {
      await assert.rejects(get(egress, "http://slow.test/"), {
        kind: "timeout",
        nothingSent: true,
        message: 'host "slow.test" did not accept a connection within 0.02 s',
      });
    });
  });

  it("requests the certificate of the name, not of the address, and reports a bad one as a TLS failure", async () => {
    const asked: string[] = [];
    // Without a certificate the handshake fails right after the server name was sent.
    const server = createTlsServer({
      SNICallback(name, done) {
        asked.push(name);
        done(null);
      },
    });
    server.on("tlsClientError", () => {});
    const tlsPort = await peers.listen(server);
    const local: Resolve = async () => [{ address: "127.0.0.1", family: 4 }];
    await withEgress({ resolve: local, allow: parseAllowList("127.0.0.1") }, (egress) =>
      assert.rejects(get(egress, `https://secure.test:${tlsPort}/`), { kind: "tls", nothingSent: true }),
    );
    assert.deepEqual(asked, ["secure.test"]);
  });
});

describe("the sink", () => {
  it("listens where a careless client would connect", async () => {
    for (const host of ["127.0.0.1", "0.0.0.0"]) {
      await new Promise<void>((done, reject) => {
        const socket = connect(port, host, () => {
          socket.destroy();
          done();
        });
        socket.on("error", reject);
      });
    }
  });
});
