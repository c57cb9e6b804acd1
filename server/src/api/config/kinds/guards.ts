import { isObject } from "#lib/is-object";
import { findGuard, openHeaders } from "#records/guards";
import { type ConfigObject, type Kind, type KindNeeds, recordKind } from "../kind.ts";

/** The fields of built-in guards that can be changed. */
const BUILT_IN = ["enabled", "action", "threshold", "scope", "direction", "priority"];

const kind = recordKind({
  name: "guards",
  key: "slug",
  fields: [
    ...["slug", "name", "description", "type", "enabled", "action", "threshold", "direction", "entity_types"],
    ...["priority", "on_error", "message", "scope", "checks"],
  ],
  operations: { list: "listGuards", create: "createGuard", update: "updateGuard", remove: "deleteGuard" },
  async present(row, needs) {
    if (row.is_builtin === true) {
      const fixed = ["name", "description", "type", "entity_types", "on_error", "message", "checks"];
      return Object.fromEntries(fixed.map((name) => [name, undefined]));
    }
    return { checks: await withHeaders(row, needs) };
  },
  secrets: ({ checks }) =>
    Array.isArray(checks)
      ? checks.flatMap((check: ConfigObject, index) => {
          const headers = isObject(check.config) ? check.config.headers : undefined;
          return Object.keys(isObject(headers) ? headers : {}).map((name) => `checks.${index}.config.headers.${name}`);
        })
      : [],
});

async function withHeaders(row: ConfigObject, { db, context }: KindNeeds): Promise<unknown> {
  const stored = await findGuard(db, String(row.slug));
  const headers = stored ? openHeaders(context.vault, stored) : {};
  const checks = Array.isArray(row.checks) ? row.checks : [];
  return checks.map(({ header_names: names, ...check }: Record<string, unknown>) => {
    const own = headers[String(check.id)];
    return names === undefined || !own ? check : { ...check, config: { ...Object(check.config), headers: own } };
  });
}

/** Built-in guards exist in every installation, so they are only changed. */
export const guards: Kind = {
  ...kind,
  async create(needs, object) {
    await kind.create(needs, object);
  },
  async remove(needs, object) {
    if (object.checks === undefined) return;
    await kind.remove?.(needs, object);
  },
};

export const BUILT_IN_GUARD_FIELDS: readonly string[] = BUILT_IN;
