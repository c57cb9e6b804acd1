/** Rows and writes for tests of publishing, and replicas that share only a database. */
import { SnapshotHolder } from "#gateway/snapshot/holder";
import { type Clock, systemClock } from "#lib/clock";
import { createIds } from "#lib/ids";
import { createLogger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import { createPublisher, type Publisher } from "#publish/publisher";
import type { Databases, MainTransaction } from "#storage/database";
import { type WriteTrail, writeTransaction } from "#storage/transaction";

const logger = createLogger("silent");
export const newId = createIds(systemClock, systemRandom);

/** Like a separate process: it shares only the database. */
export class Replica {
  readonly holder = new SnapshotHolder();
  readonly publisher: Publisher;

  constructor(databases: Databases, clock: Clock = systemClock) {
    this.publisher = createPublisher({ databases, clock, logger, holder: this.holder });
  }
}

export function write(
  databases: Databases,
  work: (tx: MainTransaction, trail: WriteTrail) => Promise<void>,
): Promise<number> {
  const context = { db: databases.main, clock: systemClock, newId };
  const author = { actor: { kind: "system", id: "test", name: "test" } as const, requestId: "req_test" };
  return writeTransaction(context, author, work).then(({ revision }) => revision ?? 0);
}

export async function addUser(databases: Databases, id: string): Promise<number> {
  return write(databases, async (tx, trail) => {
    await tx.insertInto("users").values(userRow(id)).execute();
    trail.changed("user", id);
  });
}

export function userRow(id: string) {
  return {
    id,
    name: id,
    email: `${id}@example.com`,
    email_key: `${id}@example.com`,
    search_text: id,
    is_machine_user: true,
    slug: id,
    role: "member" as const,
    disabled: false,
    risk_score: null,
    sealed_client_credentials: null,
    created_at: 1,
    updated_at: 1,
  };
}

export function serverRow(id: string, slug: string) {
  return {
    id,
    slug,
    name: slug,
    description: "",
    search_text: slug,
    status: "active" as const,
    connector_id: null,
    upstream_url: "http://127.0.0.1:1/mcp",
    upstream_transport: "http" as const,
    auth_type: "none" as const,
    auth_settings: {},
    sealed_client_secret: null,
    is_local: false,
    eras: [],
    sync_tried_at: null,
    tools_synced_at: null,
    sync_error: null,
    created_at: 1,
    updated_at: 1,
  };
}

export function toolRow(serverId: string, name: string, enabled: boolean) {
  return {
    server_id: serverId,
    upstream_name: name,
    slug: name,
    title: name,
    description: "",
    definition: JSON.stringify({ title: name, inputSchema: { type: "object" } }),
    position: name.length,
    enabled,
    created_at: 1,
    updated_at: 1,
  };
}
