import { isObject } from "#lib/is-object";
import { findGuard, openSecrets } from "#records/guards";
import { type ConfigObject, type Kind, type KindNeeds, recordKind, withSortedSets } from "../kind.ts";

const kind = recordKind({
  name: "guards",
  key: "slug",
  fields: [
    ...["slug", "name", "description", "type", "enabled", "action", "threshold", "direction", "entity_types"],
    ...["priority", "on_error", "message", "scope", "checks"],
  ],
  fixed: ["type"],
  normalize: ({ scope, ...rest }) => ({
    ...rest,
    ...(isObject(scope) && { scope: withSortedSets(scope, ["groups", "servers", "users", "exclude_servers"]) }),
  }),
  operations: { list: "listGuards", create: "createGuard", update: "updateGuard", remove: "deleteGuard" },
  async present(row, needs) {
    const scope = await withoutDeleted(row, needs);
    if (row.is_builtin === true) {
      const fixed = ["name", "description", "type", "entity_types", "on_error", "message", "checks"];
      return { ...Object.fromEntries(fixed.map((name) => [name, undefined])), ...scope };
    }
    return { checks: await withSecrets(row, needs), ...scope };
  },
  secrets: ({ checks }) =>
    Array.isArray(checks)
      ? checks.flatMap((check: ConfigObject, index) => {
          const { headers, api_key: key }: ConfigObject = isObject(check.config) ? check.config : {};
          const names = Object.keys(isObject(headers) ? headers : {}).map((name) => `headers.${name}`);
          return [...names, ...(key === undefined ? [] : ["api_key"])].map((name) => `checks.${index}.config.${name}`);
        })
      : [],
});

/**
 * IDs of deleted records mean nothing elsewhere. An empty list would cover everything, so a guard of which nothing remains
 * is exported as disabled: it covers no call in either form.
 */
async function withoutDeleted({ slug, scope }: ConfigObject, { db }: KindNeeds): Promise<ConfigObject> {
  const stored = (await findGuard(db, String(slug)))?.scope;
  if (!stored || !isObject(scope)) return {};
  const kept: Record<string, unknown> = { ...scope };
  let coversNothing = false;
  for (const list of ["groups", "servers", "users", "exclude_servers"] as const) {
    const shown = Array.isArray(scope[list]) ? scope[list] : [];
    // A record that exists is shown by its name, and a deleted one by its ID.
    const existing = shown.filter((name) => !stored[list].includes(String(name)));
    kept[list] = existing;
    if (list !== "exclude_servers" && existing.length < shown.length && existing.length === 0) coversNothing = true;
  }
  return { scope: kept, ...(coversNothing && { enabled: false }) };
}

async function withSecrets(row: ConfigObject, { db, context }: KindNeeds): Promise<unknown> {
  const stored = await findGuard(db, String(row.slug));
  const secrets = stored ? openSecrets(context.vault, stored) : {};
  const checks = Array.isArray(row.checks) ? row.checks : [];
  return checks.map(({ header_names: _names, has_api_key: _has, ...check }: Record<string, unknown>) => {
    const own = secrets[String(check.id)];
    if (!own) return check;
    return { ...check, config: { ...Object(check.config), ...(check.type === "llm" ? own : { headers: own }) } };
  });
}

/** Built-in guards are changed, and never deleted. Only they have no checks in files. */
export const guards: Kind = { ...kind, isKept: ({ checks }) => checks === undefined };
