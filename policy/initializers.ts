/** `npm init acme` and `yarn create acme`, which run the package `create-acme`. */

import { fromNpx, NPX } from "./package-runners.ts";
import type { ReadCommand } from "./package-spec.ts";
import { positional } from "./positional.ts";

/** `args` follow the word `init` or `create`. Without a name, npm asks questions and runs no package. */
export function fromInitializer(
  args: readonly string[],
  options: { readonly keepsPrefix?: boolean } = {},
): ReadCommand | undefined {
  const { first, at } = positional(args, NPX);
  if (first === undefined) return undefined;
  return fromNpx([...args.slice(0, at), packageOf(first, options.keepsPrefix === true), ...args.slice(at + 1)]);
}

function packageOf(spec: string, keepsPrefix: boolean): string {
  const scopeOnly = /^(@[^/@]+)(@.*)?$/s.exec(spec);
  if (scopeOnly) return `${scopeOnly[1]}/create${scopeOnly[2] ?? ""}`;
  // `@scope/name`, `github:owner/name`, and `owner/name` get the prefix after the slash.
  const [, before = "", name = ""] = /^((?:@|[\w.-]+:)?[\w.~-]+\/)?([\s\S]*)$/.exec(spec) ?? [];
  return keepsPrefix && name.startsWith("create-") ? spec : `${before}create-${name}`;
}
