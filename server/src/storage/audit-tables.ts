import type { Generated } from "kysely";

export interface AuditRow {
  id: string;
  at: number;
  actor_kind: string;
  actor_id: string;
  actor_name: string;
  operation: string;
  target_kind: string;
  target_id: string;
  target_name: string;
  before: object | null;
  after: object | null;
  request_id: string;
  /** The caller's IP address. Null for writes of the system. */
  ip: string | null;
  /** The position in the hash chain, from 1. Null if an earlier release wrote the row and no job has chained it yet. */
  seq: number | null;
  /** Commits to the row and to the previous hash. */
  hash: string | null;
}

export interface AuditCheckpointRow {
  id: string;
  /** `cut`: retention deleted the entry and all earlier ones. */
  kind: "periodic" | "cut";
  seq: number;
  hash: string;
  at: number;
  key_version: number;
  signature: string;
}

export interface AuditProblem {
  /** The position in the chain. */
  readonly seq: number;
  /** The ID of the first invalid entry; null if it is missing. */
  readonly id: string | null;
  readonly reason: "changed" | "missing" | "moved" | "truncated" | "unexpected" | "rewritten" | "checkpoint";
  readonly message: string;
}

export interface AuditTables {
  audit: Omit<AuditRow, "ip" | "seq" | "hash"> & {
    ip: Generated<string | null>;
    seq: Generated<number | null>;
    hash: Generated<string | null>;
  };
  audit_chain: { id: number; seq: number; hash: string };
  audit_checkpoints: AuditCheckpointRow;
  audit_verification: {
    id: number;
    /** The last verified entry; entries up to it are correct unless there is a problem. */
    seq: number;
    hash: string;
    entry_at: number | null;
    verified_at: number | null;
    /** When all entries were last verified. */
    full_at: number | null;
    problem: AuditProblem | null;
  };
  /** Objects that `gatehouse apply` manages. */
  managed_objects: {
    kind: string;
    object_key: string;
    applied_by: string;
    applied_at: number;
    /** The declared fields, separated by commas. */
    fields: string;
  };
  audit_shipping: { name: string; seq: number; shipped_at: number };
}
