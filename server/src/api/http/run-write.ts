import { createHash } from "node:crypto";
import { invalid, Refusal } from "#lib/errors";
import { findKeptAnswer, keepAnswer } from "#records/idempotency";
import type { MainTransaction } from "#storage/database";
import { type Actor, type WriteTrail, writeTransaction } from "#storage/transaction";
import type { Operation } from "./operation.ts";
import type { ApiWorld } from "./world.ts";

const KEPT_MS = 24 * 60 * 60 * 1000;

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface WriteRequest {
  readonly operation: Operation;
  readonly actor: Actor;
  readonly requestId: string;
  readonly world: ApiWorld;
  readonly idempotencyKey: string | undefined;
  /** Of method, address and body: the same key with another one is a mistake. */
  readonly requestHash: string;
  run(tx: MainTransaction, trail: WriteTrail): Promise<Answer>;
}

/**
 * A write in one transaction with its trail and, when the caller gave a key, its kept answer. The answer is released
 * only when the gateway of this process obeys what it says.
 */
export async function runWrite(request: WriteRequest): Promise<Answer> {
  const { world, actor, requestId } = request;
  const context = { db: world.databases.main, clock: world.clock, newId: world.newId };
  const { result, revision } = await writeTransaction(context, { actor, requestId }, (tx, trail) =>
    request.idempotencyKey === undefined ? request.run(tx, trail) : runOnce(request, request.idempotencyKey, tx, trail),
  );
  if (revision !== undefined) await world.obeyed(revision);
  return result;
}

/** D34: the first answer under a key is the answer for a day; a refusal is not kept, since it changed nothing. */
async function runOnce(request: WriteRequest, key: string, tx: MainTransaction, trail: WriteTrail): Promise<Answer> {
  const { operation, actor, world, requestHash } = request;
  const now = world.clock.now();
  const keyHash = createHash("sha256").update(key).digest("hex");
  const kept = await findKeptAnswer(tx, actor.id, keyHash, now - KEPT_MS);
  if (kept) {
    if (kept.request_hash !== requestHash) {
      throw new Refusal("conflict", "Idempotency-Key: was used with another request");
    }
    return { status: kept.status, body: JSON.parse(kept.answer) };
  }
  const answer = await request.run(tx, trail);
  const row = {
    actor_id: actor.id,
    key_hash: keyHash,
    operation: operation.id,
    request_hash: requestHash,
    status: answer.status,
    answer: JSON.stringify(withoutShownOnce(answer.body, operation.shownOnce ?? [])),
    created_at: now,
  };
  await keepAnswer(tx, row, now - KEPT_MS);
  return answer;
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
