import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { systemClock } from "#lib/clock";
import { createIds } from "#lib/ids";
import { createLogger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import { apiTokenHash } from "#records/api-tokens";
import { BuiltInConnectors } from "#records/connectors";
import { readKeyFile, readOrMakeKeyFile } from "#storage/key-file";
import { openVault } from "#storage/open-vault";
import { bearer } from "#test/api";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { type Operation, read, write } from "./operation.ts";
import { createApiServer } from "./server.ts";
import type { ApiWorld } from "./world.ts";

const TOKEN = "a-token-of-this-test";
const common = { tag: "Test", summary: "Test", scope: "admin:read", refusals: [], onCrash: "Failed to leak" } as const;
const Known = z.object({ data: z.object({ name: z.string() }) });

/** Rows have more columns than their answers: a member too many compiles, and must be caught when it runs. */
const row = { name: "shown", secret: "hidden" };
const leaks = read({
  ...common,
  id: "leak",
  route: "GET /api/leak",
  answers: { 200: Known },
  run: async () => ({ status: 200, body: { data: row } }),
});
const keeps = read({
  ...common,
  id: "keep",
  route: "GET /api/keep",
  answers: { 200: Known },
  run: async () => ({ status: 200, body: { data: { name: "shown" } } }),
});
const lies = read({
  ...common,
  id: "lie",
  route: "GET /api/lie",
  answers: { 200: Known },
  // A stored value that the types do not know of.
  run: async () => ({ status: 200, body: { data: { name: JSON.parse("7") } } }),
});
const leaksAfterWriting = write({
  ...common,
  id: "leakingWrite",
  route: "POST /api/leak",
  answers: { 201: Known },
  run: async ({ afterCommit }) => {
    afterCommit(() => {});
    return { status: 201, body: { data: row } };
  },
});

describe("what goes out is judged too", () => {
  let database: TestDatabase;
  let world: ApiWorld;
  const servers: FastifyInstance[] = [];

  before(async () => {
    database = await openTestSqlite();
    const file = `${database.dataDir}/gatehouse.key`;
    readOrMakeKeyFile(file);
    const logger = createLogger("silent");
    world = {
      databases: database.databases,
      vault: await openVault(database.databases.main, [readKeyFile(file)], { clock: systemClock, logger }),
      clock: systemClock,
      newId: createIds(systemClock, systemRandom),
      random: systemRandom,
      logger,
      baseUrl: "http://localhost",
      gatewayUrl: "http://127.0.0.1:8080",
      orgName: "Test",
      orgDomain: "example.com",
      version: "0.0.0",
      connectors: new BuiltInConnectors([]),
      obeyed: async () => {},
      syncSoon: () => {},
      syncNow: async () => ({ error: undefined }),
      callsStored: async () => {},
    };
    await database.databases.main
      .insertInto("api_tokens")
      .values({
        id: "tok_test",
        name: "test",
        token_hash: apiTokenHash(TOKEN),
        scopes: ["all"],
        expires_at: null,
        last_used_at: null,
        created_at: 0,
      })
      .execute();
  });
  after(async () => {
    for (const server of servers) await server.close();
    await database.close();
  });

  const answerOf = async (undeclared: "fails" | "is-cut", operation: Operation) => {
    const server = createApiServer([operation], world, {
      undeclared,
      wrongCredentialsPerMinute: 100,
      trustedProxies: [],
    });
    servers.push(server);
    const [method, url] = operation.route.split(" ") as ["GET" | "POST", string]; // the routes above
    const answer = await server.inject({ method, url, headers: bearer(TOKEN) });
    return [answer.statusCode, answer.json()];
  };

  it("a field that is not declared fails in tests", async () => {
    assert.deepEqual(await answerOf("fails", leaks), [500, { error: "Failed to leak" }]);
    assert.deepEqual(await answerOf("fails", leaksAfterWriting), [500, { error: "Failed to leak" }]);
  });

  it("a field that is not declared is cut off in production", async () => {
    assert.deepEqual(await answerOf("is-cut", leaks), [200, { data: { name: "shown" } }]);
    assert.deepEqual(await answerOf("is-cut", leaksAfterWriting), [201, { data: { name: "shown" } }]);
  });

  it("an answer as declared passes either way", async () => {
    assert.deepEqual(await answerOf("fails", keeps), [200, { data: { name: "shown" } }]);
    assert.deepEqual(await answerOf("is-cut", keeps), [200, { data: { name: "shown" } }]);
  });

  it("an answer of another type than declared never goes out", async () => {
    assert.deepEqual(await answerOf("fails", lies), [500, { error: "Failed to leak" }]);
    assert.deepEqual(await answerOf("is-cut", lies), [500, { error: "Failed to leak" }]);
  });
});
