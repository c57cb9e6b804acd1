import { nextTurn } from "#lib/next-turn";
import { repepperSlice } from "#records/credentials";
import { type Moved, type MovedSlice, resealSlice, SEALED_COLUMNS } from "#storage/sealed-columns";
import type { WriteContext } from "#storage/transaction";
import type { Vault } from "#storage/vault";

export interface MoveOptions {
  /** Stops soon after this many values. */
  readonly maxValues?: number;
  /** Called after each slice with the kind of value and the number moved so far. */
  readonly onSlice?: (what: string, moved: number) => void | Promise<void>;
}

/**
 * SEC-6: re-encrypts every sealed value and every verifier with the newest data key, in slices. It can be interrupted
 * and resumed, and several processes can run it concurrently.
 */
export async function moveToNewKeys(
  context: WriteContext,
  vault: Vault,
  { maxValues = Number.POSITIVE_INFINITY, onSlice }: MoveOptions = {},
): Promise<Moved> {
  let total: Moved = { moved: 0, unopened: 0 };
  for (const { what, next } of walks(context, vault)) {
    let moved = 0;
    let slice: MovedSlice | undefined;
    while (total.moved < maxValues) {
      slice = await next(slice?.lastId ?? "");
      if (!slice) break;
      moved += slice.moved;
      total = { moved: total.moved + slice.moved, unopened: total.unopened + slice.unopened };
      await onSlice?.(what, moved);
      await nextTurn();
    }
  }
  return total;
}

interface Walk {
  readonly what: string;
  next(afterId: string): Promise<MovedSlice | undefined>;
}

function walks(context: WriteContext, vault: Vault): Walk[] {
  return [
    ...SEALED_COLUMNS.map((sealed) => ({
      what: `${sealed.table}.${sealed.column}`,
      next: (afterId: string) => resealSlice(context, sealed, vault, afterId),
    })),
    { what: "credentials.verifier", next: (afterId) => repepperSlice(context, vault, afterId) },
  ];
}
