import { Refusal } from "#lib/errors";
import { validTokenIds } from "#records/api-tokens";
import type { MainTransaction } from "#storage/database";
import type { SentReport } from "./sent-report.ts";

/**
 * The API looks up the token of a report only every few seconds, so it may have been deleted or have expired since
 * (decision 0265). A batch with such a report fails, and then its reports are stored alone.
 */
export async function requireValidTokens(
  tx: MainTransaction,
  reports: readonly Pick<SentReport, "actor">[],
  now: number,
): Promise<void> {
  const ids = new Set(reports.flatMap(({ actor }) => (actor.kind === "api-token" ? [actor.id] : [])));
  if (ids.size === 0) return;
  const valid = await validTokenIds(tx, [...ids], now);
  for (const id of ids) if (!valid.has(id)) throw new Refusal("unauthenticated", "the token is no longer valid");
}
