import { type CheckDefinition, defaultOnError, type GuardDefinition } from "./definition.ts";

/** A guard as it is stored: its checks were validated when it was saved, and null means the default for the action. */
export type StoredGuard = Omit<GuardDefinition, "checks" | "on_error"> & {
  readonly checks: readonly {
    readonly id: string;
    readonly type: string;
    readonly name: string;
    readonly certainty: number;
    readonly config: object;
  }[];
  readonly on_error: GuardDefinition["on_error"] | null;
};

/** The checks must contain the headers of their webhooks. */
export function definitionOf(stored: StoredGuard): GuardDefinition {
  const { slug, name, description, type, enabled, action, threshold, direction, priority, message } = stored;
  return {
    ...{ slug, name, description, type, enabled, action, threshold, direction, priority, message },
    entity_types: stored.entity_types,
    scope: stored.scope,
    checks: stored.checks as readonly CheckDefinition[],
    on_error: stored.on_error ?? defaultOnError(action),
  };
}
