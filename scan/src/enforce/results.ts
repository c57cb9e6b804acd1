import type { ReportedEnforcement } from "#policy/types";
import type { StateFolder } from "../state.ts";

const FILE = "results.json";
const FAILURES = "failures.json";
const MAX_RESULTS = 1000;

/** What enforcement did since the last report. */
export class EnforcementResults {
  readonly #state: StateFolder;

  constructor(state: StateFolder) {
    this.#state = state;
  }

  read(): readonly ReportedEnforcement[] {
    return this.#state.readJson<ReportedEnforcement[]>(FILE) ?? [];
  }

  add(results: readonly ReportedEnforcement[]): void {
    if (results.length === 0) return;
    const news = this.#withoutKnownFailures(results);
    if (news.length > 0) this.#state.writeJson(FILE, [...this.read(), ...news].slice(-MAX_RESULTS));
  }

  /** A failure that stays would be part of each report. */
  #withoutKnownFailures(results: readonly ReportedEnforcement[]): ReportedEnforcement[] {
    const known = new Map(Object.entries(this.#state.readJson<Record<string, string>>(FAILURES) ?? {}));
    const news: ReportedEnforcement[] = [];
    for (const each of results) {
      const key = keyOfResult(each);
      const reason = each.result === "failed" ? (each.reason ?? "") : undefined;
      if (reason === undefined || known.get(key) !== reason) news.push(each);
      known.delete(key);
      if (reason !== undefined) known.set(key, reason);
    }
    this.#state.writeJson(FAILURES, Object.fromEntries([...known].slice(-MAX_RESULTS)));
    return news;
  }

  /** Removes the first results, which a report contains. */
  remove(count: number): void {
    if (count > 0) this.#state.writeJson(FILE, this.read().slice(count));
  }
}

/** The item, in all its results. */
export function keyOfResult({ kind, fingerprint, digest, client, name, path }: ReportedEnforcement): string {
  return [kind, fingerprint ?? digest, client, name, path].join(" ");
}
