import { setTimeout as sleep } from "node:timers/promises";
import { AdminWriter } from "./admin-writer.ts";
import { callAgainAndAgain } from "./callers.ts";
import type { LongSetup } from "./setup.ts";

/** Nobody waits for a call that its caller hung up on; its record comes a moment later all the same. */
const HANG_UPS_END_MS = 1_000;

/** Something that goes on until it is over. */
export type Load = (isOver: () => boolean) => Promise<void>;

/** All callers call and an admin writes while the work is done; answers what was written. */
export async function underLoad(
  { service, upstream, history, users }: LongSetup,
  work: (writer: AdminWriter) => Promise<void>,
  ...more: readonly Load[]
): Promise<AdminWriter> {
  const writer = new AdminWriter();
  let over = false;
  const isOver = () => over;
  const load = Promise.all([
    ...users.map((user) => callAgainAndAgain(user, service, history, isOver)),
    writer.writeAgainAndAgain(service, upstream.url, isOver),
    ...more.map((start) => start(isOver)),
  ]);
  try {
    // The load has no end before it is over, unless it fails.
    await Promise.race([work(writer), load]);
  } finally {
    over = true;
  }
  await load;
  await sleep(HANG_UPS_END_MS);
  return writer;
}
