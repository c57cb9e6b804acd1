import { isObject } from "#lib/is-object";
import { type ConfigObject, recordKind, withSortedSets } from "../kind.ts";

export const issuers = recordKind({
  name: "issuers",
  key: "slug",
  fields: [
    ...["slug", "name", "enabled", "issuer", "jwks_uri", "jwks", "audiences", "algorithms", "max_age_seconds"],
    ...["conditions", "subject", "provision", "token", "one_time_jti", "require_api_key", "passthrough"],
  ],
  normalize: ({ provision, ...rest }) => ({
    ...rest,
    ...(isObject(provision) && { provision: { ...withSortedSets(provision, ["groups"]), ...lowerCase(provision) } }),
  }),
  operations: {
    list: "listExchangeProviders",
    create: "createExchangeProvider",
    update: "updateExchangeProvider",
    remove: "deleteExchangeProvider",
  },
});

/** Names of groups are case-insensitive. */
function lowerCase({ group_map: map }: ConfigObject): ConfigObject {
  if (!isObject(map)) return {};
  return { group_map: Object.fromEntries(Object.entries(map).map(([of, group]) => [of, String(group).toLowerCase()])) };
}
