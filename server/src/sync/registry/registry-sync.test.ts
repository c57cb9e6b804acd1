import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import { createEgress, type Egress, parseAllowList } from "#egress/egress";
import { createLogger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import type { MainDb } from "#storage/database";
import { type TestClock, testClock } from "#test/clock";
import { forEachDatabase } from "#test/databases";
import { registryServer, startRegistry, type TestRegistry } from "#test/registry";
import type { RegistryLimits } from "./fetch-pages.ts";
import { createRegistrySync, type RegistrySync } from "./registry-sync.ts";

const HOUR_MS = 60 * 60_000;
const NOON = "2026-01-01T12:00:00.000Z";
const named = (name: string, rest: object = {}, meta: object = {}) =>
  registryServer({ name: `com.example/${name}`, ...rest }, { updatedAt: NOON, ...meta });

forEachDatabase("the registry's sync", (open) => {
  let db: MainDb;
  let egress: Egress;
  let clock: TestClock;
  let registry: TestRegistry;
  let lines: string[];
  let syncs: RegistrySync[];

  before(async () => {
    db = (await open()).databases.main;
    egress = createEgress({ allow: parseAllowList("127.0.0.0/8") });
  });
  beforeEach(async () => {
    await db.deleteFrom("registry_entries").execute();
    await db.deleteFrom("registry_state").execute();
    clock = testClock(Date.UTC(2026, 0, 2));
    registry = await startRegistry([named("a"), named("b"), named("c")]);
    lines = [];
    syncs = [];
  });
  afterEach(() => {
    for (const sync of syncs) sync.stop();
    return registry.close();
  });
  after(() => egress.close());

  const create = (registryUrl = registry.origin, limits: Partial<RegistryLimits> = {}) => {
    const logger = createLogger("info", { write: (line) => void lines.push(line) });
    const sync = createRegistrySync({ db, egress, clock, logger, random: systemRandom, registryUrl, limits });
    syncs.push(sync);
    return sync;
  };
  const stored = async () => {
    const rows = await db.selectFrom("registry_entries").select(["id", "description"]).orderBy("sort_key").execute();
    return Object.fromEntries(rows.map(({ id, description }) => [id.replace("com.example/", ""), description]));
  };
  const names = async () => Object.keys(await stored());
  const lastQuery = () => Object.fromEntries(registry.asked.at(-1) ?? []);

  describe("a valid registry", () => {
    it("is read completely, page by page, with only the latest versions", async () => {
      await create().runWhenDue();
      assert.deepEqual(await names(), ["a", "b", "c"]);
      assert.deepEqual(
        registry.asked.map((query) => Object.fromEntries(query)),
        [
          { version: "latest", limit: "100" },
          { version: "latest", limit: "100", cursor: "2" },
        ],
      );
      assert.equal(lines.length, 1);
      assert.match(lines[0] ?? "", /"stored":3,"removed":0,"skipped":\{\}/);
    });

    it("is read again after hours, and then only for changes", async () => {
      const sync = create();
      await sync.runWhenDue();
      clock.advance(4 * HOUR_MS - 1);
      await sync.runWhenDue();
      assert.equal(registry.asked.length, 2, "not yet");
      clock.advance(HOUR_MS + 1);
      registry.servers = [
        named("b", { description: "changed" }),
        named("c", {}, { status: "deleted" }),
        named("d"),
        named("unknown", {}, { status: "deprecated" }),
      ];
      await sync.runWhenDue();
      assert.deepEqual(await stored(), { a: "The server a", b: "changed", d: "The server d" });
      const since = { updated_since: "2026-01-01T11:00:00.000Z", include_deleted: "true" };
      assert.deepEqual(lastQuery(), { version: "latest", limit: "100", cursor: "2", ...since });
      assert.match(lines[1] ?? "", /"stored":2,"removed":1,"skipped":\{"deprecated or deleted":2\}/);
    });

    it("removes entries without an endpoint and deprecated entries, and does not write unchanged ones", async () => {
      const sync = create();
      await sync.runWhenDue();
      clock.advance(5 * HOUR_MS);
      registry.servers = [named("a", { remotes: [] }), named("b", {}, { status: "deprecated" }), named("c")];
      await sync.runWhenDue();
      assert.deepEqual(await names(), ["c"]);
      assert.match(lines[1] ?? "", /"stored":0,"removed":2/);
    });

    it("is read completely again after a week", async () => {
      const sync = create();
      await sync.runWhenDue();
      clock.advance(7 * 24 * HOUR_MS);
      registry.servers = [named("b")];
      await sync.runWhenDue();
      assert.deepEqual(await names(), ["b"]);
      assert.equal(lastQuery().updated_since, undefined);
    });

    it("continues where the last process stopped, and replaces all entries for a different registry", async () => {
      await create().runWhenDue();
      registry.servers = [named("d")];
      await create().runWhenDue();
      assert.deepEqual(await names(), ["a", "b", "c", "d"]);
      const other = await startRegistry([named("other")]);
      await create(other.origin).runWhenDue();
      assert.deepEqual(await names(), ["other"]);
      assert.equal(other.asked[0]?.has("updated_since"), false);
      await other.close();
    });

    it("ignores update times in the future", async () => {
      registry.servers = [named("a", {}, { updatedAt: "2199-01-01T00:00:00Z" })];
      await create().runWhenDue();
      await create().runWhenDue();
      assert.equal(lastQuery().updated_since, "2026-01-01T23:00:00.000Z");
    });

    it("skips and counts invalid entries", async () => {
      registry.servers = [
        named("a"),
        7,
        { server: { name: "x" } },
        named("b", { remotes: [{ type: "sse", url: "x" }] }),
        named("c"),
      ];
      await create().runWhenDue();
      assert.deepEqual(await names(), ["a", "c"]);
      assert.match(lines[0] ?? "", /"stored":2,"removed":0,"skipped":\{"unreadable":2,"no usable URL":1\}/);
    });

    it("leaves the catalog empty if it is empty", async () => {
      registry.answer = (_request, response) => void response.end('{"servers":null,"metadata":{"count":0}}');
      await create().runWhenDue();
      assert.deepEqual(await names(), []);
      assert.match(lines[0] ?? "", /"stored":0/);
    });

    it("gives the same result for concurrent syncs", async () => {
      registry.servers = Array.from({ length: 900 }, (_, i) => named(`n${i}`));
      registry.pageSize = 100;
      await Promise.all([create().runWhenDue(), create().runWhenDue(), create().runWhenDue()]);
      assert.equal((await names()).length, 900);
    });
  });

  describe("an invalid registry changes nothing and logs one line", () => {
    const json = (body: string) => (_request: unknown, response: ServerResponse) => void response.end(body);
    let page = 0;
    const answers: [string, (request: unknown, response: ServerResponse) => void, RegExp][] = [
      ["returns an error", (_, response) => void response.writeHead(500).end("{}"), /status 500/],
      ["closes the connection", (_, response) => void response.destroy(), /closed the connection/],
      [
        "redirects",
        (_, response) => void response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
        /status 302/,
      ],
      ["returns HTML", json("<!doctype html><title>Sign in</title>"), /not a page of servers/],
      ["returns different JSON", json('{"items":[]}'), /not a page of servers/],
      ["returns an object instead of a list", json('{"servers":{"length":1e9}}'), /not a page of servers/],
      ["returns an invalid cursor", json('{"servers":[],"metadata":{"nextCursor":{}}}'), /not a page of servers/],
      ["repeats a cursor", json('{"servers":[],"metadata":{"nextCursor":"again"}}'), /cursor repeats/],
      [
        "has no last page",
        (_, response) =>
          void response.end(JSON.stringify({ servers: [named(`n${++page}`)], metadata: { nextCursor: `${page}` } })),
        /more than 10 pages/,
      ],
      ["sends a large page", json(`{"servers":[${" ".repeat(30_000)}]}`), /more than the 20000 bytes/],
      [
        "sends too many bytes in total",
        (_, response) =>
          void response.end(
            JSON.stringify({ servers: [], padding: "x".repeat(15_000), metadata: { nextCursor: `${++page}` } }),
          ),
        /more than the \d+ bytes allowed/,
      ],
      ["lists no servers anymore", json('{"servers":[]}'), /no servers listed/],
      ["sends truncated JSON", json('{"servers":[{"server":{"name":"com.exam'), /not a page of servers/],
      [
        "uses an unsupported encoding",
        (_, response) => void response.writeHead(200, { "content-encoding": "br" }).end("x"),
        /content-encoding/,
      ],
    ];
    for (const [what, answer, reason] of answers) {
      it(`one that ${what}`, async () => {
        await create().runWhenDue();
        // A complete sync, which would remove missing entries.
        clock.advance(8 * 24 * HOUR_MS);
        const before = await db.selectFrom("registry_state").selectAll().execute();
        lines = [];
        registry.answer = answer;
        const limits = { pages: 10, bytesPerPage: 20_000, bytes: 40_000 };
        await create(registry.origin, limits).runWhenDue();
        assert.equal(lines.length, 1, lines.join(""));
        assert.match(lines[0] ?? "", /registry sync failed/);
        assert.match(JSON.parse(lines[0] ?? "{}").reason, reason);
        assert.deepEqual(await names(), ["a", "b", "c"]);
        assert.deepEqual(await db.selectFrom("registry_state").selectAll().execute(), before);
      });
    }

    it("one that fails on its last page", async () => {
      await create().runWhenDue();
      clock.advance(5 * HOUR_MS);
      registry.servers = [named("d"), named("e"), named("f")];
      registry.answer = (_request, response) => {
        registry.answer = (_again, last) => void last.writeHead(503).end();
        response.end(JSON.stringify({ servers: [named("d")], metadata: { nextCursor: "2" } }));
      };
      await create().runWhenDue();
      assert.deepEqual(await names(), ["a", "b", "c"]);
    });

    it("one that never responds: page and sync time out", async () => {
      registry.answer = () => {};
      await create(registry.origin, { msPerPage: 20 }).runWhenDue();
      assert.match(lines[0] ?? "", /did not respond within 0.02 s/);
      registry.answer = (_request, response) => {
        clock.advance(1_000);
        response.end(JSON.stringify({ servers: [], metadata: { nextCursor: `${++page}` } }));
      };
      await create(registry.origin, { ms: 2_500 }).runWhenDue();
      assert.match(lines[1] ?? "", /took longer than 2.5 s/);
    });

    it("one at a forbidden address", async () => {
      await create("http://169.254.169.254").runWhenDue();
      assert.equal(lines.length, 1);
      assert.deepEqual(await names(), []);
    });

    it("retries sooner after a failure", async () => {
      const sync = create();
      registry.answer = (_request, response) => void response.writeHead(500).end();
      await sync.runWhenDue();
      registry.answer = undefined;
      await sync.runWhenDue();
      assert.deepEqual(await names(), []);
      clock.advance(HOUR_MS / 2);
      await sync.runWhenDue();
      assert.deepEqual(await names(), ["a", "b", "c"]);
    });
  });

  it("aborts a running sync on stop without logging or storing anything", async () => {
    const sync = create();
    const asked = new Promise<void>((resolve) => {
      registry.answer = () => resolve();
    });
    const running = sync.runWhenDue();
    await asked;
    sync.stop();
    await running;
    await sync.runWhenDue();
    assert.deepEqual([lines, registry.asked.length, await names()], [[], 1, []]);
  });
});
