import type { Schemas } from "#openapi/types";
import { badUsage } from "../failure.ts";
import type { Columns } from "../output.ts";
import { readSkipping } from "../read-pages.ts";
import { readTime } from "../read-time.ts";
import { saveSecret } from "../secret-file.ts";
import { LIMIT, type Noun, SAVE_TO, verb, YES } from "../verb.ts";

const list = verb({
  says: "List API tokens",
  options: { limit: LIMIT },
  example: "gatehouse tokens list",
  async run({ api, options: { limit }, out }) {
    const client = api();
    const rows = await readSkipping(limit, (page) => client.listApiTokens({ query: page }));
    const columns: Columns<Schemas["ApiToken"]> = {
      ID: (token) => token.id,
      NAME: (token) => token.name,
      SCOPES: (token) => token.scopes,
      EXPIRES: (token) => token.expires_at,
      "LAST USED": (token) => token.last_used_at,
      CREATED: (token) => token.created_at,
    };
    out.list(rows, columns, "tokens");
  },
});

const create = verb({
  says: "Make an API token, which is shown this once",
  args: ["name"],
  options: {
    scope: { type: "list", hint: "scope", says: "what it may do, such as admin:read; once for each" },
    expires: { type: "text", hint: "time", says: "when it ends, or after how long, such as 90d; else never" },
    "save-to": SAVE_TO,
  },
  example: "gatehouse tokens create CI --scope admin:read --expires 90d --save-to ci.token",
  async run({ api, args, options, out, now }) {
    const { scope, expires } = options;
    if (!scope) throw badUsage("--scope is missing: say what the token may do");
    const expires_at = expires === undefined ? null : readTime("expires", expires, now(), "ahead");
    // The API knows its scopes and names them when one is wrong.
    const scopes = scope as Schemas["CreateApiToken"]["scopes"];
    const client = api();
    const { answer, saved } = await saveSecret(options["save-to"], async () => {
      const { data, token } = await client.createApiToken({ body: { name: args.name, scopes, expires_at } });
      return { secret: token, answer: { data, token } };
    });
    if (saved) out.say(`The token is in ${options["save-to"]}; it cannot be shown again.`);
    else out.say("The token is shown this once: put it away now.");
    out.record(saved ? answer.data : { ...answer.data, token: answer.token });
  },
});

const remove = verb({
  says: "Delete an API token; whoever uses it is out at once",
  args: ["id"],
  options: { yes: YES },
  example: "gatehouse tokens delete tok_01 --yes",
  async run({ api, args, out, confirm }) {
    const client = api();
    await confirm(`Delete the token ${args.id}? Whoever uses it is out at once.`);
    out.say((await client.deleteApiToken({ query: args })).message);
  },
});

export const tokens: Noun = {
  says: "Tokens of the administration API",
  verbs: { list, create, delete: remove },
  example: "gatehouse tokens create CI --scope admin:read --expires 90d",
};
