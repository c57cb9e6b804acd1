import { z } from "zod";
import { isoTime, timestamp } from "#api/kit/answers";
import { read } from "#api/kit/operation";
import { lastCheckpoint, listCursors, presentCheckpoint, readChainState } from "#records/audit";
import { CheckpointShape, Problem, presentProblem } from "./verify-audit.ts";

const time = (description: string) => z.string().nullable().meta({ description, format: "date-time" });

/** What the periodic verification found. Cheap, because it verifies nothing. */
export const getAuditChain = read({
  id: "getAuditChain",
  route: "GET /api/audit/chain",
  tag: "Audit",
  summary: "Get the verification state of the audit log",
  description:
    "A job verifies new entries every minute and all entries once a day, and signs a checkpoint every 10 minutes if there are new entries.",
  scope: "admin:read",
  answers: {
    200: z.object({
      data: z.object({
        last_seq: z.int().describe("Position of the newest entry"),
        verified_seq: z.int().describe("Position of the last verified entry"),
        verified_up_to: time("Time of the last verified entry; null: none yet"),
        verified_at: time("When the verification last ran without a problem; null: never"),
        problem: Problem,
        checkpoint: CheckpointShape.nullable().describe("The newest signed checkpoint; null: none yet"),
        shipping: z
          .array(
            z.object({
              receiver: z.string().describe("`webhooks`: webhooks that subscribe to `audit.entry`"),
              seq: z.int().describe("Position of the last shipped entry"),
              ts: timestamp("When it was shipped"),
            }),
          )
          .describe("How far entries were shipped to webhooks. Log destinations report their positions themselves"),
      }),
    }),
  },
  refusals: [],
  onCrash: "Failed to retrieve the state of the audit log",
  async run({ db, context }) {
    const state = await readChainState(db);
    const checkpoint = await lastCheckpoint(db);
    const head = await db.selectFrom("audit_chain").select("seq").where("id", "=", 1).executeTakeFirstOrThrow();
    const cursors = await listCursors(db);
    const data = {
      last_seq: head.seq,
      verified_seq: state.seq,
      verified_up_to: state.entry_at === null ? null : isoTime(state.entry_at),
      verified_at: state.verified_at === null ? null : isoTime(state.verified_at),
      problem: presentProblem(state.problem),
      checkpoint: checkpoint ? presentCheckpoint(context.vault, checkpoint) : null,
      shipping: cursors.map(({ name, seq, shipped_at }) => ({ receiver: name, seq, ts: isoTime(shipped_at) })),
    };
    return { status: 200, body: { data } };
  },
});
