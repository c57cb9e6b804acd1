import { z } from "zod";
import { isoTime, timestamp } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { textParameter } from "#api/kit/parameters";
import { invalid } from "#lib/errors";
import { type Checkpoint, countUnchained, type VerifiedChain, verifyChain } from "#records/audit";
import type { AuditProblem } from "#storage/audit-tables";

export const Problem = z
  .object({
    seq: z.int().describe("Position of the first invalid entry"),
    id: z.string().nullable().describe("The entry's ID; null if it is missing"),
    reason: z
      .enum(["changed", "missing", "moved", "truncated", "unexpected", "rewritten", "checkpoint"])
      .describe("What is wrong with it"),
    message: z.string().describe("The problem as a sentence"),
  })
  .nullable()
  .meta({ description: "The first problem; null: none" });

export const CheckpointShape = z.object({
  kind: z.enum(["periodic", "cut"]).describe("`cut`: retention deleted this entry and all earlier ones"),
  seq: z.int().describe("Position of the entry"),
  hash: z.string().describe("Hash of the entry"),
  ts: timestamp("When it was signed"),
  key_version: z.int().describe("Version of the data key that the signing key is derived from"),
  public_key: z.string().describe("Ed25519 public key, base64url"),
  signature: z.string().describe("Ed25519 signature, base64url"),
});

export function presentProblem(problem: AuditProblem | null): z.input<typeof Problem> {
  return problem && { ...problem };
}

/** `gatehouse audit verify -o json` prints the same. */
export function presentVerification(
  { problem, entries, firstSeq, last, checkpoints }: VerifiedChain,
  unchained: number,
) {
  return {
    ok: problem === null,
    entries,
    first_seq: firstSeq,
    last_seq: last.seq,
    last_id: last.id,
    verified_up_to: last.at === null ? null : isoTime(last.at),
    checkpoints,
    unchained,
    problem: presentProblem(problem),
  };
}

/** `GET /api/audit/verify`: recomputes every hash now. The state of the periodic verification is `getAuditChain`. */
export const verifyAudit = read({
  id: "verifyAudit",
  route: "GET /api/audit/verify",
  tag: "Audit",
  summary: "Verify the audit log",
  description:
    "Recomputes the hash chain over all entries and compares it with the signed checkpoints. `ok` is false if entries were changed, deleted, inserted or moved outside of Gatehouse.",
  scope: "admin:read",
  query: {
    checkpoint: textParameter(
      "A checkpoint that was stored elsewhere, as JSON. Entries that were removed after it are then reported",
    ),
  },
  answers: {
    200: z.object({
      data: z.object({
        ok: z.boolean().describe("Whether the verification found no problem"),
        entries: z.int().describe("Number of verified entries"),
        first_seq: z.int().describe("Position of the first entry; earlier ones were deleted by retention"),
        last_seq: z.int().describe("Position of the last verified entry"),
        last_id: z.string().nullable().describe("ID of the last verified entry"),
        verified_up_to: z.string().nullable().meta({
          description: "Time of the last verified entry; null: none",
          format: "date-time",
        }),
        checkpoints: z.int().describe("Number of verified checkpoints"),
        unchained: z.int().describe("Entries of an earlier release that are not in the chain yet"),
        problem: Problem,
      }),
    }),
  },
  refusals: [400],
  onCrash: "Failed to verify the audit log",
  async run({ db, query, context }) {
    const shipped = query.checkpoint === undefined ? undefined : [readCheckpoint(query.checkpoint)];
    const nextTurn = () => context.nextTurn();
    const found = await verifyChain(db, context.vault, { shipped, nextTurn });
    return { status: 200, body: { data: presentVerification(found, await countUnchained(db)) } };
  },
});

function readCheckpoint(text: string): Checkpoint {
  try {
    return CheckpointShape.parse(JSON.parse(text));
  } catch {
    throw invalid("checkpoint", "must be a checkpoint as JSON");
  }
}
