import type { Exchange } from "./exchange.ts";
import type { McpRequest } from "./mcp-request.ts";
import type { SnapshotSource } from "./ports.ts";
import type { Principal } from "./snapshot/authenticate.ts";
import { resolve } from "./snapshot/resolve.ts";
import { type Scope, scopeOf, TOOLKIT_HEADER } from "./snapshot/scope.ts";

/** The scope that the URL and the headers select. Text: why it is invalid. */
export function scopeFor(exchange: Exchange): Scope | string {
  return scopeOf(exchange.target, exchange.header(TOOLKIT_HEADER));
}

/** The slug of the toolkit that limits everything in the request; undefined: none. */
export function toolkitOf({ scope, principal }: Pick<McpRequest, "scope" | "principal">): string | undefined {
  return scope.toolkit ?? principal.toolkit ?? principal.user.toolkit;
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
  const scope = scopeFor(exchange);
  return typeof scope === "string" || resolve(holder.current(), principal, scope).toolkit() !== null;
}
