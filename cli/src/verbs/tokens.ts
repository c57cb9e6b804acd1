import type { Schemas } from "#openapi/types";
import { badUsage } from "../failure.ts";
import type { Columns } from "../output.ts";
import { readSkipping } from "../read-pages.ts";
import { readTime } from "../read-time.ts";
import { saveSecret } from "../secret-file.ts";
import { LIMIT, type Noun, SAVE_TO, verb, YES } from "../verb.ts";

const list = verb({
  description: "List API tokens",
  options: { limit: LIMIT },
  example: "gatehouse tokens list",
  async run({ api, options: { limit }, out }) {
    const client = api();
    const rows = await readSkipping(limit, (page) => client.listApiTokens({ query: page }));
    const columns: Columns<Schemas["ApiToken"]> = {
      ID: (token) => token.id,
      NAME: (token) => token.name,
      PREFIX: (token) => token.prefix,
      SCOPES: (token) => token.scopes,
      EXPIRES: (token) => token.expires_at,
      "LAST USED": (token) => token.last_used_at,
      "CREATED BY": (token) => token.created_by,
    };
    out.list(rows, columns, "No API tokens. Create one: gatehouse tokens create <name> --scope <scope>");
  },
});

const create = verb({
  description: "Create an API token; it is shown only once",
  args: ["name"],
  options: {
    scope: { type: "list", hint: "scope", description: "scope such as admin:read; repeat for more" },
    expires: { type: "text", hint: "time", description: "expiry: a time, or a duration such as 90d (default: never)" },
    "save-to": SAVE_TO,
  },
  example: "gatehouse tokens create CI --scope admin:read --expires 90d --save-to ci.token",
  async run({ api, args, options, out, now }) {
    const { scope, expires } = options;
    if (!scope) throw badUsage("Missing --scope, such as --scope admin:read");
    const expires_at = expires === undefined ? null : readTime("expires", expires, now(), "ahead");
    // The API validates the scopes.
    const scopes = scope as Schemas["CreateApiToken"]["scopes"];
    const client = api();
    const { answer, saved } = await saveSecret(options["save-to"], async () => {
      const { data, token } = await client.createApiToken({ body: { name: args.name, scopes, expires_at } });
      return { secret: token, answer: { data, token } };
    });
    if (saved) out.say(`Saved the token to ${options["save-to"]}. It cannot be shown again.`);
    else out.say("Copy the token now. It cannot be shown again.");
    out.record(saved ? answer.data : { ...answer.data, token: answer.token });
  },
});

const remove = verb({
  description: "Delete an API token; it stops working immediately",
  args: ["id"],
  options: {
    "include-created": {
      type: "flag",
      description: "also delete tokens and invitations created with it, if it may have leaked",
    },
    yes: YES,
  },
  example: "gatehouse tokens delete tok_01 --yes",
  async run({ api, args, options, out, confirm }) {
    const client = api();
    const include_created = options["include-created"] ?? false;
    const more = include_created ? ", with the tokens and invitations created with it" : "";
    await confirm(`Delete API token ${args.id}${more}? It stops working immediately.`);
    await client.deleteApiToken({ query: { ...args, include_created } });
    out.say(`Deleted API token \`${args.id}\`.`);
  },
});

export const tokens: Noun = {
  description: "API tokens, for the administration API and this CLI",
  verbs: { list, create, delete: remove },
  example: "gatehouse tokens create CI --scope admin:read --expires 90d",
};
