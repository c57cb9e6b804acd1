import { createHash } from "node:crypto";
import { invalid, Refusal } from "#lib/errors";
import { findKeptAnswer, keepAnswer, trimKeptAnswers } from "#records/idempotency";
import type { MainDb, MainTransaction } from "#storage/database";
import { type Actor, resultWhenPublished, type WriteTrail, type Written, writeTransaction } from "#storage/transaction";
import type { ApiContext } from "./api-context.ts";
import { type ContentCheck, UncheckedContent } from "./content-check.ts";
import type { Operation } from "./operation.ts";

const KEPT_MS = 24 * 60 * 60 * 1000;
/** One of this many writes removes surplus responses of its caller. */
const TRIMMED_EVERY = 128;
const MAX_EVALUATIONS = 10;

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly etag?: string;
}

export interface WriteRequest {
  readonly operation: Operation;
  readonly actor: Actor;
  readonly requestId: string;
  readonly address: string;
  readonly context: ApiContext;
  readonly idempotencyKey: string | undefined;
  /** Hash of method, URL and body. Reusing a key with a different hash is an error. */
  readonly requestHash: string;
  readonly contents: Pick<ContentCheck, "evaluate">;
  run(tx: MainTransaction, trail: WriteTrail): Promise<Answer>;
}

/**
 * Runs a write in one transaction with its audit rows, its changes and, if the caller sent an idempotency key, its
 * stored response. Resolves when the gateway of this process applies the write.
 */
export function runWrite(request: WriteRequest): Promise<Answer> {
  const write = withCheckedContent(request).catch((error) => storedAnswerOrThrow(request, error));
  return resultWhenPublished(request.context, write);
}

/** Carries the response of a trial out of its transaction, which it ends. */
class RolledBack extends Error {
  override readonly name = "RolledBack";
  readonly answer: Answer;

  constructor(answer: Answer) {
    super("the transaction of a trial is rolled back");
    this.answer = answer;
  }
}

/** Content that changes during each evaluation is written by somebody else, who succeeds. */
async function withCheckedContent(request: WriteRequest): Promise<Written<Answer>> {
  for (let evaluations = 0; ; evaluations++) {
    try {
      return await inTransaction(request);
    } catch (error) {
      if (error instanceof RolledBack) return { result: error.answer, revision: undefined };
      if (!(error instanceof UncheckedContent) || evaluations >= MAX_EVALUATIONS) throw error;
      await request.contents.evaluate(error);
    }
  }
}

function inTransaction(request: WriteRequest): Promise<Written<Answer>> {
  const { context, actor, requestId, address, idempotencyKey: key } = request;
  const writing = { db: context.databases.main, clock: context.clock, newId: context.newId };
  return writeTransaction(writing, { actor, requestId, address }, async (tx, trail) => {
    const answer = key === undefined ? await request.run(tx, trail) : await runOnce(request, key, tx, trail);
    if (request.operation.isTrial) throw new RolledBack(answer);
    assertAudited(request.operation, trail);
    return answer;
  });
}

/** Records note their changes themselves, so an operation that forgets its audit entry fails instead of going unnoticed. */
function assertAudited({ id, unaudited }: Operation, { changes, audits }: WriteTrail): void {
  if (unaudited === undefined && changes.length > 0 && audits.length === 0)
    throw new Error(`${id} changed records without an audit entry`);
}

/** Of two concurrent requests with one key, the second can fail on a name that the first has just created. */
async function storedAnswerOrThrow(request: WriteRequest, error: unknown): Promise<Written<Answer>> {
  const { context, idempotencyKey: key } = request;
  const kept = key === undefined ? undefined : await keptAnswer(request, key, context.databases.main);
  if (!kept) throw error;
  return { result: kept, revision: undefined };
}

/** D34: the first response for a key is stored for a day. Errors are not stored, because they changed nothing. */
async function runOnce(request: WriteRequest, key: string, tx: MainTransaction, trail: WriteTrail): Promise<Answer> {
  const { operation, actor, context } = request;
  const now = context.clock.now();
  const kept = await keptAnswer(request, key, tx);
  if (kept) return kept;
  const answer = await request.run(tx, trail);
  const row = {
    actor_id: actor.id,
    key_hash: hashKey(key),
    operation: operation.id,
    request_hash: request.requestHash,
    status: answer.status,
    answer: JSON.stringify(withoutShownOnce(answer.body, operation.shownOnce ?? [])),
    created_at: now,
  };
  await keepAnswer(tx, row, now - KEPT_MS);
  if ((context.random(1)[0] ?? 0) % TRIMMED_EVERY === 0) await trimKeptAnswers(tx, actor.id);
  return answer;
}

async function keptAnswer(request: WriteRequest, key: string, db: MainDb): Promise<Answer | undefined> {
  const { actor, context, requestHash } = request;
  const kept = await findKeptAnswer(db, actor.id, hashKey(key), context.clock.now() - KEPT_MS);
  if (!kept) return undefined;
  if (kept.request_hash !== requestHash) {
    throw new Refusal("conflict", "Idempotency-Key: was used with another request");
  }
  return { status: kept.status, body: JSON.parse(kept.answer) };
}

function hashKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

function withoutShownOnce(body: unknown, names: readonly string[]): unknown {
  if (typeof body !== "object" || body === null) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

export function readIdempotencyKey(values: readonly string[]): string | undefined {
  if (values.length > 1) throw invalid("Idempotency-Key", "must be given once");
  const key = values[0];
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalid("Idempotency-Key", "must be 1 to 255 visible characters");
  }
  return key;
}
