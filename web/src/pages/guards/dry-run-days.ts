import type { Api, Schemas } from "../../api/client.ts";

export type DryRun = Schemas["GuardDryRun"];

export interface DryRunProgress {
  readonly daysDone: number;
  readonly days: number;
  readonly result: DryRun;
  readonly warnings: readonly string[];
}

const DAY_MS = 24 * 60 * 60 * 1000;
const CALLS_PER_DAY = 10_000;
const MAX_SAMPLES = 50;
const NONE: DryRun = {
  ...{ calls_examined: 0, calls_without_payload: 0, by_tool: [], by_user: [], samples: [] },
  would: { block: 0, require_approval: 0, redact: 0, warn: 0, log: 0 },
};

/** Tries the guard on one day after another, the newest first, and reports the sum after each. */
export async function dryRunDays(
  api: Api,
  { slug, days, now }: { readonly slug: string; readonly days: number; readonly now: number },
  onProgress: (progress: DryRunProgress) => void,
  signal: AbortSignal,
): Promise<DryRunProgress> {
  let progress: DryRunProgress = { daysDone: 0, days, result: NONE, warnings: [] };
  onProgress(progress);
  for (let day = 0; day < days; day++) {
    const [from, to] = [now - (day + 1) * DAY_MS, now - day * DAY_MS].map((at) => new Date(at).toISOString());
    const body = { guard_slug: slug, from: from ?? "", to: to ?? "", limit: CALLS_PER_DAY };
    const { data, warnings = [] } = await api.dryRunGuard({ body, signal });
    const all = [...new Set([...progress.warnings, ...warnings])];
    progress = { daysDone: day + 1, days, result: sum(progress.result, data), warnings: all };
    onProgress(progress);
  }
  return progress;
}

export function sum(one: DryRun, other: DryRun): DryRun {
  const would = { ...one.would };
  for (const action of Object.keys(would) as (keyof DryRun["would"])[]) would[action] += other.would[action];
  return {
    calls_examined: one.calls_examined + other.calls_examined,
    calls_without_payload: one.calls_without_payload + other.calls_without_payload,
    would,
    by_tool: added([...one.by_tool, ...other.by_tool].map(({ tool, count }) => [tool, count])).map(([tool, count]) => {
      return { tool, count };
    }),
    by_user: added([...one.by_user, ...other.by_user].map(({ email, count }) => [email, count])).map(
      ([email, count]) => ({ email, count }),
    ),
    samples: [...one.samples, ...other.samples].slice(0, MAX_SAMPLES),
  };
}

function added(counts: ReadonlyArray<readonly [string, number]>): [string, number][] {
  const sums = new Map<string, number>();
  for (const [name, count] of counts) sums.set(name, (sums.get(name) ?? 0) + count);
  return [...sums].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}
