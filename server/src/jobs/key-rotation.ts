import { readNewDataKeys } from "#storage/open-vault";
import { rewrapDataKeys } from "#storage/rotate-keys";
import type { WriteContext } from "#storage/transaction";
import { KEY_ACTIVATION_DELAY_MS, type Vault } from "#storage/vault";
import type { WrappingKey } from "#storage/wrapping-key";
import { moveToNewKeys } from "./move-to-new-keys.ts";
import type { Job } from "./runner.ts";

export interface KeyRotationNeeds {
  readonly context: WriteContext;
  readonly vault: Vault;
  readonly keys: readonly WrappingKey[];
}

const HOUR_MS = 60 * 60 * 1000;
const VALUES_PER_RUN = 20_000;

/**
 * SEC-5, SEC-6: every process reads new data keys before they are used, and one process re-encrypts existing values.
 */
export function keyRotationJobs({ context, vault, keys }: KeyRotationNeeds): Job[] {
  return [
    {
      name: "read-data-keys",
      everyMs: KEY_ACTIVATION_DELAY_MS / 6,
      oncePerOrganization: false,
      run: () => readNewDataKeys(context.db, keys, vault),
    },
    {
      // The first run is an hour after a start with a new key file, when a rolling restart is over.
      name: "finish-key-rotation",
      everyMs: HOUR_MS,
      oncePerOrganization: true,
      async run() {
        await rewrapDataKeys(context, keys);
        await moveToNewKeys(context, vault, { maxValues: VALUES_PER_RUN });
      },
    },
  ];
}
