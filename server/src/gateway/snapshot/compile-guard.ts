import type { GuardDefinition } from "#guards/definition";
import { definitionOf, type StoredGuard } from "#guards/from-record";

/** `guard`: with the headers of its webhooks. */
export function compileGuard(guard: StoredGuard): GuardDefinition {
  return definitionOf(guard);
}
