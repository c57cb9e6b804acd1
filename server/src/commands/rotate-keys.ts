import { moveToNewKeys } from "#jobs/move-to-new-keys";
import type { Clock } from "#lib/clock";
import { countOf } from "#lib/count-of";
import type { Logger } from "#lib/logger";
import { openVault } from "#storage/open-vault";
import { addDataKeys, rewrapDataKeys } from "#storage/rotate-keys";
import type { Moved } from "#storage/sealed-columns";
import type { WriteContext } from "#storage/transaction";
import type { Vault } from "#storage/vault";
import type { WrappingKey } from "#storage/wrapping-key";
import type { Progress } from "./progress.ts";

export interface RotateOptions {
  /** Also creates new data keys and seals all values with them (SEC-6). */
  readonly dataKeys: boolean;
  readonly progress: Pick<Progress, "report" | "update">;
  readonly onSlice?: (what: string, moved: number) => Promise<void>;
}

/**
 * Does immediately what the jobs of the service do within hours, and creates new data keys if requested. It can be
 * interrupted at any point; the next run continues.
 */
export async function rotateKeys(
  context: WriteContext,
  keys: readonly WrappingKey[],
  logger: Logger,
  { dataKeys, progress, onSlice }: RotateOptions,
): Promise<Moved> {
  const report = (line: string) => progress.report(line);
  const vault = await openVault(context.db, keys, { clock: context.clock, logger });
  const rewrapped = await rewrapDataKeys(context, keys);
  report(
    rewrapped === 0
      ? `All data keys are already wrapped by key ${keys[0]?.id}.`
      : `Wrapped ${countOf(rewrapped, "data key")} with key ${keys[0]?.id}.`,
  );
  if (dataKeys) {
    const added = await addDataKeys(context, keys, vault);
    report(
      added
        ? "Created a new data key for each purpose."
        : "The newest data keys are less than an hour old. Continuing with those.",
    );
    await waitUntilUsable(context.clock, vault, report);
  }
  const done = await moveToNewKeys(context, vault, {
    async onSlice(what, moved) {
      progress.update(`${what}: ${countOf(moved, "value")} moved so far`);
      await onSlice?.(what, moved);
    },
  });
  if (done.moved > 0) report(`Sealed ${countOf(done.moved, "value")} with the newest data keys.`);
  else if (dataKeys) report("All values are already sealed with the newest data keys.");
  if (done.unopened > 0) {
    report(`Skipped ${countOf(done.unopened, "value")} that cannot be decrypted. The log lists what was skipped.`);
  }
  return done;
}

async function waitUntilUsable(clock: Clock, vault: Vault, report: (line: string) => void): Promise<void> {
  const { activationDelayMs } = vault;
  if (activationDelayMs === 0) return;
  report(`Waiting ${Math.ceil(activationDelayMs / 1000)} s until all replicas have read the new data keys.`);
  // The timers of the clock do not keep the process alive.
  const alive = setInterval(() => {}, activationDelayMs);
  await new Promise<void>((resolve) => void clock.after(activationDelayMs, resolve));
  clearInterval(alive);
}
