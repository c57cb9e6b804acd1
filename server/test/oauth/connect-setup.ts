/** `connect` over a database with a user and servers, and any number of replicas. */
import { randomBytes } from "node:crypto";
import { type Connect, createConnect } from "#connect/connect";
import { createEgress, LOOPBACK_ALLOW, parseAllowList } from "#egress/egress";
import type { Clock } from "#lib/clock";
import { createIds } from "#lib/ids";
import { createLogger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import { findConnection, openConnection } from "#records/connections";
import { findServerById } from "#records/mcp-servers";
import type { MainDb } from "#storage/database";
import type { McpServerRow } from "#storage/server-tables";
import { VAULT_PURPOSES, Vault } from "#storage/vault";
import type { TestDatabase } from "../databases.ts";
import { serverRow, userRow } from "../example-replica.ts";
import type { Customer } from "./customer.ts";

export const USER = "usr_a";
export const AUTHOR = { actor: { kind: "user", id: USER, name: "a" } as const, requestId: "req_test" };
export const BASE_URL = "https://gatehouse.example";

export interface ConnectSetup {
  readonly db: MainDb;
  readonly vault: Vault;
  readonly connect: Connect;
  /** Another process over the same database, optionally with its own connection to it. */
  replica(ownDb?: MainDb): Connect;
  /** Adds a proxy-oauth server for this customer. */
  addServer(id: string, customer: Pick<Customer, "url">, rest?: Partial<McpServerRow>): Promise<void>;
  server(id: string): Promise<McpServerRow>;
  /** The flow from its start to the redirect back. */
  signIn(customer: Customer, serverId: string, browser?: string): Promise<URLSearchParams>;
  /** The complete flow. */
  connected(customer: Customer, serverId: string): Promise<void>;
  connection(serverId: string): Promise<Awaited<ReturnType<typeof read>>>;
  close(): void;
}

export async function openConnectSetup({ databases }: TestDatabase, clock: Clock): Promise<ConnectSetup> {
  const db = databases.main;
  const logger = createLogger("silent");
  const keys = VAULT_PURPOSES.map((purpose) => ({ purpose, version: 1, createdAt: 0, key: randomBytes(32) }));
  const vault = new Vault(keys, { clock, logger });
  const egress = createEgress({ allow: parseAllowList(LOOPBACK_ALLOW) });
  const newId = createIds(clock, systemRandom);
  const replica = (ownDb = db) =>
    createConnect({
      ...{ db: ownDb, clock, newId, random: systemRandom, logger, vault, egress, baseUrl: BASE_URL, orgName: "Test" },
      waitUntilPublished: async () => {},
      connected: () => {},
      tryHeaders: async () => ({ verdict: "unknown", cause: "unreachable", reason: "was not contacted" }),
    });
  const connect = replica();
  await db.insertInto("users").values(userRow(USER)).execute();
  const server = async (id: string) => {
    const row = await findServerById(db, id);
    if (!row) throw new Error(`no server ${id}`);
    return row;
  };
  const context: ConnectSetup = {
    db,
    vault,
    connect,
    replica,
    async addServer(id, customer, rest = {}) {
      const oauth = { auth_type: "proxy-oauth" as const, upstream_url: customer.url };
      await db
        .insertInto("mcp_servers")
        .values({ ...serverRow(id, id), ...oauth, ...rest })
        .execute();
    },
    server,
    async signIn(customer, serverId, browser = "browser") {
      const url = await connect.begin({ user: { id: USER }, server: await server(serverId), browser }, AUTHOR);
      return new URL(await customer.agree(url)).searchParams;
    },
    async connected(customer, serverId) {
      const query = await context.signIn(customer, serverId);
      await connect.finish({ query, serverId, browser: "browser", requestId: "req_test" });
    },
    connection: (serverId) => read(db, vault, serverId),
    close: () => egress.close(),
  };
  return context;
}

async function read(db: MainDb, vault: Vault, serverId: string) {
  const row = await findConnection(db, USER, serverId);
  if (!row) return undefined;
  const secret = openConnection(vault, row);
  if (secret.kind !== "oauth") throw new Error("no OAuth connection");
  return { ...row, secret };
}
