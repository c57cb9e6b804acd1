import type { Edit } from "#lib/json/splice";
import type { Direction, GuardAction, GuardDefinition } from "./definition.ts";
import type { RawFinding } from "./findings.ts";

export type GuardError = "failed" | "timeout" | "oversize" | "overloaded";

/** Why a payload is refused regardless of guards. */
export type Refused = "duplicate-key" | "malformed";

export interface Finding {
  readonly check_id: string;
  readonly check_name: string;
  readonly certainty: number;
  readonly path: string;
  /** Offsets in the decoded text at `path`, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** The first two characters and `…`. */
  readonly excerpt: string;
}

/** What one guard found. */
export interface GuardResult {
  readonly guard_slug: string;
  readonly guard_name: string;
  readonly action: GuardAction;
  readonly passed: boolean;
  /** Highest certainty of a finding, also below the threshold; 0 without findings. */
  readonly score: number;
  readonly threshold: number;
  /** At or above the threshold; the first 100. */
  readonly findings: readonly Finding[];
  readonly finding_count: number;
  readonly error?: GuardError;
}

export interface Redaction {
  /** Slug. */
  readonly guard: string;
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** The combined decision of all guards about one payload. */
export interface Evaluation {
  /** The strongest effect; undefined if no guard objects. */
  readonly action: GuardAction | undefined;
  /** The first guard, by priority, that leads to `action`. */
  readonly guard: GuardDefinition | undefined;
  /** Why that guard blocks without a finding. */
  readonly error: GuardError | undefined;
  readonly refused: Refused | undefined;
  /** Guards with findings or errors, in order. The others passed with score 0. */
  readonly results: readonly GuardResult[];
  readonly redactions: readonly Redaction[];
  /** Edits of the message, sorted; empty if it is blocked. */
  readonly edits: readonly Edit[];
}

export const CLEAN: Evaluation = {
  ...{ action: undefined, guard: undefined, error: undefined, refused: undefined },
  ...{ results: [], redactions: [], edits: [] },
};

export const MAX_FINDINGS = 100;

export function toFinding(raw: RawFinding, { checks }: GuardDefinition): Finding {
  const check = checks[raw.check];
  const { certainty, path, start, end, excerpt } = raw;
  return { check_id: check?.id ?? "", check_name: check?.name ?? "", certainty, path, start, end, excerpt };
}

const ERROR_TEXT: Readonly<Record<GuardError, string>> = {
  failed: "a check failed",
  timeout: "the check took too long",
  oversize: "the text is too large to check",
  overloaded: "too much content is being checked",
};

/** The text for the caller of a blocked call. Contains nothing that was found. */
export function blockedText({ guard, error, refused }: Evaluation): string {
  if (refused !== undefined) {
    return refused === "duplicate-key"
      ? "Blocked: the content has an object with duplicate keys, so it cannot be checked"
      : "Blocked: the content is not valid JSON, so it cannot be checked";
  }
  const reason = error === undefined ? guard?.message : ERROR_TEXT[error];
  return `Blocked by guard "${guard?.name}"${reason ? `: ${reason}` : ""}`;
}

/** The value for the guard's key in `_meta` of a result. */
export interface GuardNote {
  readonly slug: string;
  readonly action: GuardAction;
  readonly direction: Direction;
  /** How many texts were replaced. */
  readonly redactions?: number;
}

/** The note about an evaluation; undefined if callers are not notified: nothing was found, or it is only logged. */
export function guardNote({ action, guard, redactions }: Evaluation, direction: Direction): GuardNote | undefined {
  if (action === undefined || action === "log" || guard === undefined) return undefined;
  const note = { slug: guard.slug, action, direction };
  return redactions.length === 0 ? note : { ...note, redactions: redactions.length };
}
