import type { ReportedEnforcement } from "#policy/types";
import type { StateFolder } from "../state.ts";

const FILE = "results.json";
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
    if (results.length > 0) this.#state.writeJson(FILE, [...this.read(), ...results].slice(-MAX_RESULTS));
  }

  /** Removes the first results, which a report contains. */
  remove(count: number): void {
    if (count > 0) this.#state.writeJson(FILE, this.read().slice(count));
  }
}
