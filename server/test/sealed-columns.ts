/** Values in every column that the vault seals, for tests of what happens to them. */
import assert from "node:assert/strict";
import { sql } from "kysely";
import { systemRandom } from "#lib/random";
import { insertMachineKey, type MachineKey } from "#records/credentials";
import type { MainDb } from "#storage/database";
import { SEALED_COLUMNS } from "#storage/sealed-columns";
import type { McpServerRow, UserRow } from "#storage/tables";
import type { WriteContext } from "#storage/transaction";
import type { Vault } from "#storage/vault";

/** As a server fills every sealed column. */
export async function fillSealedColumns(
  { db, clock, newId }: WriteContext,
  vault: Vault,
  count: number,
): Promise<MachineKey[]> {
  const keys: MachineKey[] = [];
  const now = clock.now();
  const at = { created_at: now, updated_at: now };
  await db.transaction().execute(async (tx) => {
    for (let n = 0; n < count; n++) {
      const [userId, serverId, connectionId] = [newId("usr"), newId("srv"), newId("con")];
      const clientCredentials = n % 2 === 0 ? seal(vault, "sealed_client_credentials", userId) : null;
      const user = { ...at, ...newUser(userId), sealed_client_credentials: clientCredentials };
      await tx.insertInto("users").values(user).execute();
      const server = {
        ...at,
        ...newServer(serverId),
        sealed_client_secret: seal(vault, "sealed_client_secret", serverId),
      };
      await tx.insertInto("mcp_servers").values(server).execute();
      const link = { user_id: userId, server_id: serverId, kind: "api_key", state: "connected" } as const;
      const sealed_credential = seal(vault, "sealed_credential", connectionId);
      const connection = { ...at, ...link, id: connectionId, sealed_credential };
      await tx.insertInto("connections").values(connection).execute();
      keys.push(
        await insertMachineKey(tx, { id: newId("crd"), userId, now, random: systemRandom, vault, keepsCopy: true }),
      );
    }
    const id = newId("usr"); // an organization has one provider; here each filling makes its own
    const sealed_provider_secret = seal(vault, "sealed_provider_secret", id);
    await tx
      .insertInto("identity_providers")
      .values({ ...PROVIDER, id, sealed_provider_secret, updated_at: now })
      .execute();
  });
  return keys;
}

const PROVIDER = {
  issuer: "https://idp.example.com",
  client_id: "gatehouse",
  allowed_domains: ["example.com"],
  groups_claim: null,
  group_mapping: {},
  default_role: "member" as const,
  auto_create: true,
};

function seal(vault: Vault, column: string, row: string): string {
  const found = SEALED_COLUMNS.find((sealed) => sealed.column === column);
  assert.ok(found);
  return vault.seal(found.purpose, { table: found.table, row, column }, `of ${row}`);
}

function newUser(id: string): Omit<UserRow, "sealed_client_credentials" | "created_at" | "updated_at"> {
  const names = { name: "bot", email: id, email_key: id, search_text: "", slug: id };
  return { ...names, id, is_machine_user: true, role: "member", disabled: false, risk_score: null };
}

function newServer(id: string): Omit<McpServerRow, "sealed_client_secret" | "created_at" | "updated_at"> {
  const upstream = { connector_id: null, upstream_url: null, upstream_transport: null, is_local: false, eras: [] };
  const sync = { sync_tried_at: null, tools_synced_at: null, sync_error: null, tool_policy: "warn" } as const;
  const names = { slug: id, name: "server", description: "", search_text: "" };
  return { ...names, ...upstream, ...sync, id, status: "active", auth_type: "proxy-oauth", auth_settings: {} };
}

/** Every value opens for this vault, and every machine key proves itself. Answers the versions in use. */
export async function judgeSealedColumns(
  db: MainDb,
  vault: Vault,
  machineKeys: readonly MachineKey[],
): Promise<Set<number>> {
  const secrets = new Map(machineKeys.map(({ id, secret }) => [id, secret]));
  const versions = new Set<number>();
  for (const { table, column, purpose } of SEALED_COLUMNS) {
    const value = sql.ref<string | null>(column).as("sealed");
    for (const { id, sealed } of await db.selectFrom(table).select(["id", value]).execute()) {
      if (sealed === null) continue;
      assert.equal(vault.open(purpose, { table, row: id, column }, sealed), secrets.get(id) ?? `of ${id}`);
      versions.add(Number.parseInt(sealed, 10));
    }
  }
  for (const { id, verifier, pepper_version } of await db.selectFrom("credentials").selectAll().execute()) {
    const proof = vault.verifier(secrets.get(id) ?? "", pepper_version) ?? [];
    assert.deepEqual(Buffer.from(proof), Buffer.from(verifier));
    versions.add(pepper_version);
  }
  return versions;
}
