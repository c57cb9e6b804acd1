import { recordKind } from "../kind.ts";

export const issuers = recordKind({
  name: "issuers",
  key: "slug",
  fields: [
    ...["slug", "name", "enabled", "issuer", "jwks_uri", "jwks", "audiences", "algorithms", "max_age_seconds"],
    ...["conditions", "subject", "provision", "token", "one_time_jti", "require_api_key", "passthrough"],
  ],
  operations: {
    list: "listExchangeProviders",
    create: "createExchangeProvider",
    update: "updateExchangeProvider",
    remove: "deleteExchangeProvider",
  },
});
