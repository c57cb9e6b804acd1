import { type ChainPosition, chainHash, GENESIS_HASH, selectTexts } from "#storage/audit-chain";
import type { AuditProblem } from "#storage/audit-tables";
import type { MainDb } from "#storage/database";
import type { Vault } from "#storage/vault";
import {
  type Checkpoint,
  checkpointsOf,
  isGenuine,
  isGenuineCheckpoint,
  lastCheckpoint,
  lastCut,
} from "./checkpoints.ts";

export interface VerifiedChain {
  /** The first entry that still exists; entries before it were deleted by retention. */
  readonly firstSeq: number;
  /** The last entry that was verified before a problem, if any. */
  readonly last: ChainPosition & { readonly id: string | null; readonly at: number | null };
  readonly entries: number;
  readonly checkpoints: number;
  readonly problem: AuditProblem | null;
}

export interface VerifyOptions {
  /** Verifies only later entries. This one was verified before. */
  readonly after?: ChainPosition;
  /** Checkpoints that were stored elsewhere. All of them: an older one reveals a log that was truncated and has grown again. */
  readonly shipped?: readonly Checkpoint[] | undefined;
  onProgress?(verified: number, total: number): void;
  /** Yields between slices. */
  nextTurn?(): Promise<void>;
}

const ROWS_PER_SLICE = 1_000;
const CANDIDATES = 1_000;
/** Each retry means that retention deleted entries during the verification. */
const MAX_RESTARTS = 5;

type Head = { readonly seq: number; readonly hash: string };

/** Recomputes the chain from the first entry that retention kept. Writes and retention can run meanwhile. */
export async function verifyChain(db: MainDb, vault: Vault, options: VerifyOptions = {}): Promise<VerifiedChain> {
  for (let restarts = 0; ; restarts++) {
    const cut = await lastCut(db, vault);
    const result = await new ChainReader(db, vault, options, cut).run();
    if (result.problem === null || restarts === MAX_RESTARTS) return result;
    const cutNow = await lastCut(db, vault);
    if (cutNow?.seq === cut?.seq) return result;
  }
}

class ChainReader {
  readonly #db: MainDb;
  readonly #vault: Vault;
  readonly #options: VerifyOptions;
  readonly #firstSeq: number;
  readonly #cut: ChainPosition | undefined;
  readonly #shipped: ReadonlyMap<number, readonly Checkpoint[]>;
  #last: VerifiedChain["last"];
  #entries = 0;
  #checkpoints = 0;

  constructor(db: MainDb, vault: Vault, options: VerifyOptions, cut: ChainPosition | undefined) {
    this.#db = db;
    this.#vault = vault;
    this.#options = options;
    this.#cut = cut;
    this.#shipped = Map.groupBy(options.shipped ?? [], ({ seq }) => seq);
    this.#firstSeq = (cut?.seq ?? 0) + 1;
    const start = cut ?? { seq: 0, hash: GENESIS_HASH };
    const { after } = options;
    const { seq, hash } = after && after.seq > start.seq ? after : start;
    this.#last = { seq, hash, id: null, at: null };
  }

  async run(): Promise<VerifiedChain> {
    const problem = await this.#verify();
    const { seq, hash, id, at } = this.#last;
    return {
      firstSeq: this.#firstSeq,
      last: { seq, hash, id, at },
      entries: this.#entries,
      checkpoints: this.#checkpoints,
      problem,
    };
  }

  async #verify(): Promise<AuditProblem | null> {
    const forged = this.#options.shipped?.find((each) => !isGenuineCheckpoint(this.#vault, each));
    if (forged) {
      const message = `The given checkpoint of entry ${forged.seq} was not signed with the key of this installation.`;
      return { seq: forged.seq, id: null, reason: "checkpoint", message };
    }
    const head = await this.#db
      .selectFrom("audit_chain")
      .select(["seq", "hash"])
      .where("id", "=", 1)
      .executeTakeFirst();
    if (!head) {
      const message = "The position and hash of the last entry, in the table audit_chain, were deleted.";
      return { seq: this.#last.seq, id: null, reason: "missing", message };
    }
    const total = head.seq - this.#last.seq;
    if (total < 0) return truncated(head.seq + 1, head.seq, `entry ${this.#last.seq} existed before`);
    while (this.#last.seq < head.seq) {
      const before = this.#last.seq;
      const problem = await this.#verifySlice(head);
      if (problem) return problem;
      if (this.#last.seq === before) return this.#missing(before + 1, head);
      this.#options.onProgress?.(this.#entries, total);
      await this.#options.nextTurn?.();
    }
    return this.#verifyEnd(head);
  }

  async #verifySlice(head: Head): Promise<AuditProblem | null> {
    const from = this.#last.seq + 1;
    const to = Math.min(head.seq, this.#last.seq + ROWS_PER_SLICE);
    const rows = await selectTexts(this.#db)
      .where("seq", ">=", from)
      .where("seq", "<=", to)
      .orderBy("audit.seq")
      .execute();
    const checkpoints = await checkpointsOf(this.#db, { from, to });
    for (const row of rows) {
      const seq = this.#last.seq + 1;
      if (row.seq !== seq) return this.#missing(seq, head);
      const hash = chainHash(this.#last.hash, seq, row);
      if (hash !== row.hash) {
        return { seq, id: row.id, reason: "changed", message: `Entry ${seq} (${row.id}) was changed.` };
      }
      for (const checkpoint of checkpoints.filter((each) => each.seq === seq)) {
        const problem = this.#compare(checkpoint, hash, row.id, isGenuine(this.#vault, checkpoint));
        if (problem) return problem;
        this.#checkpoints++;
      }
      const problem = this.#compareShipped({ seq, hash }, row.id);
      if (problem) return problem;
      this.#last = { seq, hash, id: row.id, at: Number(row.at) };
      this.#entries++;
    }
    return null;
  }

  #compare(checkpoint: ChainPosition, hash: string, id: string | null, genuine: boolean): AuditProblem | null {
    const { seq } = checkpoint;
    if (!genuine) {
      const message = `The checkpoint at entry ${seq} was not signed with the key of this installation.`;
      return { seq, id, reason: "checkpoint", message };
    }
    if (checkpoint.hash === hash) return null;
    const message = `Entry ${seq} (${id}) or entries before it were rewritten: a signed checkpoint has another hash.`;
    return { seq, id, reason: "rewritten", message };
  }

  /** A row with a changed position is named by its ID: its hash still fits the position that is missing. */
  async #missing(seq: number, head: Head): Promise<AuditProblem> {
    const candidates = await selectTexts(this.#db)
      .where((row) =>
        row.or([
          row("seq", "is", null),
          row("seq", ">", head.seq),
          row("seq", "<", this.#firstSeq),
          row("seq", "<=", 0),
        ]),
      )
      .limit(CANDIDATES)
      .execute();
    const moved = candidates.find((row) => chainHash(this.#last.hash, seq, row) === row.hash);
    if (moved) {
      return { seq, id: moved.id, reason: "moved", message: `The position of entry ${seq} (${moved.id}) was changed.` };
    }
    const next = await this.#db
      .selectFrom("audit")
      .select((row) => row.fn.min("seq").as("seq"))
      .where("seq", ">", seq)
      .where("seq", "<=", head.seq)
      .executeTakeFirst();
    const nextSeq = next?.seq ?? null;
    if (nextSeq === null) return truncated(seq, this.#last.seq, `the chain has ${head.seq} entries`);
    const which = nextSeq === seq + 1 ? `Entry ${seq} is` : `Entries ${seq} to ${nextSeq - 1} are`;
    return { seq, id: null, reason: "missing", message: `${which} missing.` };
  }

  /** The chain must end where it says, and not before any checkpoint. */
  async #verifyEnd(head: Head): Promise<AuditProblem | null> {
    const { seq, hash, id } = this.#last;
    if (seq === head.seq && hash !== head.hash) {
      const message = `The end of the chain (entry ${seq}) has another hash than its last entry.`;
      return { seq, id, reason: "rewritten", message };
    }
    // One statement, so that it sees one state while others write.
    const extra = await this.#db
      .selectFrom("audit")
      .select(["id", "seq"])
      .where("seq", ">", (row) => row.selectFrom("audit_chain").select("seq").where("audit_chain.id", "=", 1))
      .orderBy("seq")
      .limit(1)
      .executeTakeFirst();
    if (extra) {
      const message = `Entry ${extra.seq} (${extra.id}) is behind the end of the chain.`;
      return { seq: Number(extra.seq), id: extra.id, reason: "unexpected", message };
    }
    // Read after the head: a checkpoint that was written meanwhile is newer than it, and not an error.
    const newest = await lastCheckpoint(this.#db);
    const current = await this.#db
      .selectFrom("audit_chain")
      .select("seq")
      .where("id", "=", 1)
      .executeTakeFirstOrThrow();
    if (newest && newest.seq > current.seq && isGenuine(this.#vault, newest)) {
      return truncated(seq + 1, seq, `a signed checkpoint covers entry ${newest.seq}`);
    }
    return this.#verifyShipped();
  }

  #verifyShipped(): AuditProblem | null {
    const { seq } = this.#last;
    const newest = [...this.#shipped.keys()].reduce((most, each) => Math.max(most, each), 0);
    if (newest > seq) return truncated(seq + 1, seq, `the given checkpoint covers entry ${newest}`);
    return this.#cut ? this.#compareShipped(this.#cut, null) : null;
  }

  #compareShipped({ seq, hash }: ChainPosition, id: string | null): AuditProblem | null {
    for (const each of this.#shipped.get(seq) ?? []) {
      const problem = this.#compare(each, hash, id, true);
      if (problem) return problem;
    }
    return null;
  }
}

function truncated(seq: number, last: number, evidence: string): AuditProblem {
  return { seq, id: null, reason: "truncated", message: `The log was truncated after entry ${last}: ${evidence}.` };
}
