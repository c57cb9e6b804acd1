import { nextTurn } from "#lib/next-turn";
import { repepperSlice } from "#records/credentials";
import { type Moved, type MovedSlice, resealSlice, SEALED_COLUMNS } from "#storage/sealed-columns";
import type { WriteContext } from "#storage/transaction";
import type { Vault } from "#storage/vault";

export interface MoveOptions {
  /** Ends soon after so many values. */
  readonly most?: number;
  /** After each slice: what is being moved, and how many of it so far. */
  readonly onSlice?: (what: string, moved: number) => void | Promise<void>;
}

/**
 * SEC-6: brings every sealed value and every verifier to the newest data key, slice by slice. Where it was stopped, the
 * next one goes on; several at once are in nobody's way.
 */
export async function moveToNewKeys(
  context: WriteContext,
  vault: Vault,
  { most = Number.POSITIVE_INFINITY, onSlice }: MoveOptions = {},
): Promise<Moved> {
  let total: Moved = { moved: 0, unopened: 0 };
  for (const { what, next } of walks(context, vault)) {
    let moved = 0;
    let slice: MovedSlice | undefined;
    while (total.moved < most) {
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
