import { setTimeout as sleep } from "node:timers/promises";
import { AdminWriter } from "./admin-writer.ts";
import { callRepeatedly } from "./callers.ts";
import type { LongSetup } from "./setup.ts";

/** The record of a call that its caller aborted is written shortly afterwards. */
const ABORTED_CALLS_END_MS = 1_000;

/** Generates load until `isOver`. */
export type Load = (isOver: () => boolean) => Promise<void>;

/** Runs the work while all callers call and an admin writes; returns the admin writer. */
export async function underLoad(
  { service, upstream, history, users }: LongSetup,
  work: (writer: AdminWriter) => Promise<void>,
  ...more: readonly Load[]
): Promise<AdminWriter> {
  const writer = new AdminWriter();
  let over = false;
  const isOver = () => over;
  const load = Promise.all([
    ...users.map((user) => callRepeatedly(user, service, history, isOver)),
    writer.writeRepeatedly(service, upstream.url, isOver),
    ...more.map((start) => start(isOver)),
  ]);
  try {
    // The load only ends early if it fails.
    await Promise.race([work(writer), load]);
  } finally {
    over = true;
  }
  await load;
  await sleep(ABORTED_CALLS_END_MS);
  return writer;
}
