import type { Exchange } from "./exchange.ts";
import type { SnapshotSource } from "./ports.ts";
import type { Principal } from "./snapshot/authenticate.ts";
import { resolve } from "./snapshot/resolve.ts";
import { type Scope, scopeOf, TOOLKIT_HEADER } from "./snapshot/scope.ts";

/** The scope that the URL and the headers select, with the toolkit that the caller is bound to. Text: why it is invalid. */
export function scopeFor(exchange: Exchange, principal: Principal): Scope | string {
  const scope = scopeOf(exchange.target, exchange.header(TOOLKIT_HEADER));
  const bound = principal.toolkit ?? principal.user.toolkit;
  const hasOwn = bound === undefined || typeof scope === "string" || scope.toolkit !== undefined;
  return hasOwn ? scope : { ...scope, toolkit: bound };
}

/**
 * F12: false for a toolkit that does not exist, that is a draft, or that the caller cannot use, without a difference.
 * Most requests name none, which costs a few comparisons.
 */
export function canUseToolkit(exchange: Exchange, principal: Principal, holder: SnapshotSource): boolean {
  const { target } = exchange;
  const isBound = principal.toolkit !== undefined || principal.user.toolkit !== undefined;
  // Names of parameters can be escaped.
  const isNamed = exchange.header(TOOLKIT_HEADER) !== undefined || target.includes("toolkit") || target.includes("%");
  if (!isBound && !isNamed) return true;
  const scope = scopeFor(exchange, principal);
  return typeof scope === "string" || resolve(holder.current(), principal, scope).toolkit() !== null;
}
