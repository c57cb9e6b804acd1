import type { MainTransaction } from "#storage/database";
import { lockRows } from "#storage/lock-rows";
import type { WriteTrail } from "#storage/transaction";

interface Renamed {
  /** Tools of a server are `{slug}__{tool}` at the gateway; a command has its slug. */
  readonly kind: "server" | "command";
  readonly from: string;
  readonly to: string;
}

/**
 * Tools in scopes follow a server or a command to its new slug. Otherwise, a rename would lift the guard, and another server
 * that gets the old slug would inherit it (decision 0263).
 */
export async function renameInGuards(tx: MainTransaction, trail: WriteTrail, renamed: Renamed): Promise<void> {
  const all = await tx.selectFrom("guards").select(["id", "scope"]).execute();
  const ids = all.filter(({ scope }) => followed(scope.tools, renamed) !== scope.tools).map(({ id }) => id);
  if (ids.length === 0) return;
  const named = tx.selectFrom("guards").select(["id", "scope"]).where("id", "in", ids).orderBy("id");
  for (const { id, scope } of await lockRows(tx, named).execute()) {
    const after = { ...scope, tools: [...followed(scope.tools, renamed)] };
    await tx.updateTable("guards").set({ scope: after }).where("id", "=", id).execute();
    trail.changed("guard", id);
  }
}

/** Globs that match the new names like the old ones. The same array if they do already. */
function followed(globs: readonly string[], renamed: Renamed): readonly string[] {
  const after = globs.flatMap((glob) => {
    const added = renamed.kind === "server" ? forToolsOf(glob, renamed) : forCommand(glob, renamed);
    return matchesOnly(glob, renamed) ? added : [glob, ...added];
  });
  return after.length === globs.length && after.every((glob, n) => glob === globs[n]) ? globs : [...new Set(after)];
}

/** A glob that cannot match names of anything else is replaced. */
function matchesOnly(glob: string, { kind, from }: Renamed): boolean {
  return kind === "server" ? glob.startsWith(`${from}__`) : glob === from;
}

function forToolsOf(glob: string, { from, to }: Renamed): string[] {
  const already = restsAfter(glob, `${to}__`);
  return [...restsAfter(glob, `${from}__`)].filter((rest) => !already.has(rest)).map((rest) => `${to}__${rest}`);
}

function forCommand(glob: string, { from, to }: Renamed): string[] {
  const matches = (text: string) => [...restsAfter(glob, text)].some((rest) => /^\**$/.test(rest));
  return matches(from) && !matches(to) ? [to] : [];
}

/** What can be left of a glob when its beginning has matched a text. */
function restsAfter(glob: string, text: string): Set<string> {
  let positions = afterEmptyStars(glob, new Set([0]));
  for (const character of text) {
    const next = new Set<number>();
    for (const position of positions) {
      const expected = glob[position];
      if (expected === "*") next.add(position);
      else if (expected === "?" || expected === character) next.add(position + 1);
    }
    positions = afterEmptyStars(glob, next);
  }
  // A rest that begins with a star includes the one after the star.
  const starts = [...positions].filter((position) => glob[position - 1] !== "*" || !positions.has(position - 1));
  return new Set(starts.map((position) => glob.slice(position)));
}

function afterEmptyStars(glob: string, positions: ReadonlySet<number>): Set<number> {
  const all = new Set(positions);
  for (const position of all) if (glob[position] === "*") all.add(position + 1);
  return all;
}
