import { createPublicKey, sign, verify } from "node:crypto";
import type { NewId } from "#lib/ids";
import type { ChainPosition } from "#storage/audit-chain";
import type { AuditCheckpointRow } from "#storage/audit-tables";
import type { MainDb, MainTransaction } from "#storage/database";
import type { Vault } from "#storage/vault";

/** A signed statement about one entry of the chain, as it is shipped and stored elsewhere. */
export interface Checkpoint {
  readonly kind: AuditCheckpointRow["kind"];
  readonly seq: number;
  readonly hash: string;
  /** ISO 8601. */
  readonly ts: string;
  readonly key_version: number;
  /** Ed25519, base64url. */
  readonly public_key: string;
  readonly signature: string;
}

const PURPOSE = "audit-checkpoint";
/** The public key follows this prefix in its SPKI encoding (RFC 8410). */
const SPKI_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

type Signed = Pick<AuditCheckpointRow, "kind" | "seq" | "hash" | "at" | "key_version">;

function statementOf({ kind, seq, hash, at, key_version }: Signed): Buffer {
  return Buffer.from(JSON.stringify(["gatehouse-audit-checkpoint/1", kind, seq, hash, at, key_version]));
}

export async function insertCheckpoint(
  tx: MainTransaction,
  vault: Vault,
  kind: AuditCheckpointRow["kind"],
  position: ChainPosition,
  { newId, at }: { newId: NewId; at: number },
): Promise<AuditCheckpointRow> {
  const key_version = vault.sealingVersion(PURPOSE);
  const key = vault.signingKey(PURPOSE, key_version);
  if (!key) throw new Error("there is no key for checkpoints");
  const unsigned = { kind, seq: position.seq, hash: position.hash, at, key_version };
  const signature = sign(null, statementOf(unsigned), key).toString("base64url");
  const row = { id: newId("ckp"), ...unsigned, signature };
  await tx.insertInto("audit_checkpoints").values(row).execute();
  return row;
}

export function presentCheckpoint(vault: Vault, row: AuditCheckpointRow): Checkpoint {
  const { kind, seq, hash, at, key_version, signature } = row;
  const public_key = publicKeyOf(vault, key_version) ?? "";
  return { kind, seq, hash, ts: new Date(at).toISOString(), key_version, public_key, signature };
}

/** The raw 32 bytes, base64url. */
function publicKeyOf(vault: Vault, version: number): string | undefined {
  const key = vault.signingKey(PURPOSE, version);
  const spki = key && createPublicKey(key).export({ format: "der", type: "spki" });
  return spki?.subarray(SPKI_PREFIX.length).toString("base64url");
}

/** Whether this installation signed it. */
export function isGenuine(vault: Vault, signed: Signed & { readonly signature: string }): boolean {
  const key = vault.signingKey(PURPOSE, signed.key_version);
  return (
    key !== undefined &&
    verify(null, statementOf(signed), createPublicKey(key), Buffer.from(signed.signature, "base64url"))
  );
}

export function isGenuineCheckpoint(vault: Vault, { ts, ...rest }: Checkpoint): boolean {
  const at = Date.parse(ts);
  return Number.isSafeInteger(at) && isGenuine(vault, { ...rest, at });
}

/** The newest genuine cut. A forged one is ignored, so that the entries it hides are reported as missing. */
export async function lastCut(db: MainDb, vault: Vault): Promise<ChainPosition | undefined> {
  const rows = await db
    .selectFrom("audit_checkpoints")
    .selectAll()
    .where("kind", "=", "cut")
    .orderBy("seq", "desc")
    .execute();
  return rows.find((row) => isGenuine(vault, row));
}

export function lastCheckpoint(db: MainDb): Promise<AuditCheckpointRow | undefined> {
  return db
    .selectFrom("audit_checkpoints")
    .selectAll()
    .orderBy("seq", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** Oldest first, of entries from `from` to `to`. */
export function checkpointsOf(db: MainDb, { from, to }: { from: number; to: number }): Promise<AuditCheckpointRow[]> {
  return db
    .selectFrom("audit_checkpoints")
    .selectAll()
    .where("seq", ">=", from)
    .where("seq", "<=", to)
    .orderBy("seq")
    .orderBy("id")
    .execute();
}
