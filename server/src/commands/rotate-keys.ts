import { moveToNewKeys } from "#jobs/move-to-new-keys";
import type { Clock } from "#lib/clock";
import type { Logger } from "#lib/logger";
import { openVault } from "#storage/open-vault";
import { addDataKeys, rewrapDataKeys } from "#storage/rotate-keys";
import type { Moved } from "#storage/sealed-columns";
import type { WriteContext } from "#storage/transaction";
import type { Vault } from "#storage/vault";
import type { WrappingKey } from "#storage/wrapping-key";

export interface RotateOptions {
  /** Also new data keys, and everything sealed anew with them (SEC-6). */
  readonly dataKeys: boolean;
  tell(line: string): void;
  readonly onSlice?: (what: string, moved: number) => Promise<void>;
}

/**
 * Does now what the servers would do by themselves within hours, and starts what only an operator can ask for. Stopped at
 * any point, it loses nothing, and the next run goes on from there.
 */
export async function rotateKeys(
  context: WriteContext,
  keys: readonly WrappingKey[],
  logger: Logger,
  { dataKeys, tell, onSlice }: RotateOptions,
): Promise<Moved> {
  const vault = await openVault(context.db, keys, { clock: context.clock, logger });
  const rewrapped = await rewrapDataKeys(context, keys);
  tell(
    rewrapped === 0
      ? `Every data key is wrapped by key ${keys[0]?.id} already.`
      : `${rewrapped} data keys are now wrapped by key ${keys[0]?.id}.`,
  );
  if (dataKeys) {
    const added = await addDataKeys(context, keys, vault);
    tell(
      added
        ? "There is a new data key for every purpose."
        : "The newest data keys were made within the last hour: going on with those.",
    );
    await untilRested(context.clock, vault, tell);
  }
  const done = await moveToNewKeys(context, vault, {
    async onSlice(what, moved) {
      tell(`${what}: ${moved} moved`);
      await onSlice?.(what, moved);
    },
  });
  if (done.moved > 0) tell(`${done.moved} values are sealed with the newest data keys now.`);
  else if (dataKeys) tell("There is nothing left to seal with the newest data keys.");
  if (done.unopened > 0) tell(`${done.unopened} values do not open, and were left as they are: the log names them.`);
  return done;
}

async function untilRested(clock: Clock, vault: Vault, tell: (line: string) => void): Promise<void> {
  const { activationDelayMs } = vault;
  if (activationDelayMs === 0) return;
  tell(`Waiting ${Math.ceil(activationDelayMs / 1000)} s until every server has read the new data keys.`);
  // A timer of the clock does not keep the process alive.
  const alive = setInterval(() => {}, activationDelayMs);
  await new Promise<void>((resolve) => void clock.after(activationDelayMs, resolve));
  clearInterval(alive);
}
