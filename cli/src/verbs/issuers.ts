import type { Schemas } from "#openapi/types";
import { badUsage, EXIT, Failure } from "../failure.ts";
import type { Columns } from "../output.ts";
import { given, jsonBody } from "../read-json.ts";
import { readPages, readSkipping } from "../read-pages.ts";
import { JSON_BODY, LIMIT, type Noun, type Options, SEARCH, type Values, verb, YES } from "../verb.ts";

type Provider = Schemas["ExchangeProvider"];
type Condition = NonNullable<Schemas["CreateExchangeProvider"]["conditions"]>[number];

const FIELDS = {
  audience: { type: "list", hint: "text", description: "accepted aud claim; repeat for more" },
  "jwks-uri": { type: "text", hint: "url", description: "URL of the keys; default: found by discovery" },
  condition: {
    type: "list",
    hint: "claim=glob",
    description: "a claim that must match, such as repository=acme/*; repeat for more",
  },
  "machine-user": { type: "text", hint: "email", description: "all tokens act as this machine user" },
  claim: { type: "text", hint: "path", description: "the claim that names the user" },
  match: {
    type: "choice",
    choices: ["email", "slug", "external_id"],
    description: "what the claim contains; default: email. email and external_id require a token with the scope all",
  },
  "require-api-key": { type: "switch", description: "the exchange needs an API token" },
  json: { ...JSON_BODY, description: "fields as JSON; @file, or - for standard input" },
} as const satisfies Options;

function fieldsOf(options: Values<typeof FIELDS>) {
  const { audience, claim, match, "machine-user": machineUser } = options;
  if (machineUser !== undefined && (claim !== undefined || match !== undefined)) {
    throw badUsage("Pass either --machine-user, or --claim and --match.");
  }
  const isMapped = claim !== undefined || match !== undefined;
  const subject =
    machineUser !== undefined
      ? ({ mode: "fixed", machine_user: machineUser } as const)
      : isMapped
        ? ({ mode: "map", ...given({ claim, match }) } as const)
        : undefined;
  return given({
    audiences: audience && [...audience],
    jwks_uri: options["jwks-uri"],
    conditions: options.condition?.map(conditionOf),
    subject,
    require_api_key: options["require-api-key"],
  });
}

function conditionOf(text: string): Condition {
  const at = text.indexOf("=");
  if (at < 1) throw badUsage(`Write the condition as claim=glob, not \`${text}\`.`);
  const [claim, value] = [text.slice(0, at), text.slice(at + 1)];
  return { claim, operator: value.includes("*") || value.includes("?") ? "matches" : "equals", value };
}

const list = verb({
  description: "List trusted issuers",
  options: { search: SEARCH, limit: LIMIT },
  example: "gatehouse issuers list",
  async run({ api, options: { limit, search }, out }) {
    const client = api();
    const rows = await readPages<Provider, number>(limit, async (most, cursor) => {
      const query = { ...given({ search }), limit: most, cursor };
      const { data, pagination } = await client.listExchangeProviders({ query });
      return { rows: data, next: pagination.nextCursor };
    });
    const columns: Columns<Provider> = {
      SLUG: (provider) => provider.slug,
      NAME: (provider) => provider.name,
      ENABLED: (provider) => provider.enabled,
      ISSUER: (provider) => provider.issuer,
      AUDIENCES: (provider) => provider.audiences,
      "ACTS AS": ({ subject }) => (subject.mode === "fixed" ? subject.machine_user : `user by ${subject.match}`),
      CREDENTIALS: (provider) => provider.active_credentials,
    };
    out.list(rows, columns, "No trusted issuers. Add one: gatehouse issuers create <name> --issuer <url>");
  },
});

const get = verb({
  description: "Show a trusted issuer",
  args: ["issuer"],
  example: "gatehouse issuers get github-actions",
  async run({ api, args, out }) {
    out.record((await api().getExchangeProvider({ path: { slug: args.issuer } })).data);
  },
});

const create = verb({
  description: "Trust an issuer",
  args: ["name"],
  options: {
    issuer: { type: "text", hint: "url", description: "the iss claim" },
    slug: { type: "text", hint: "slug", description: "default: from the name" },
    ...FIELDS,
  },
  example:
    'gatehouse issuers create "GitHub Actions" --issuer https://token.actions.githubusercontent.com --audience https://gatehouse.example.com --condition "repository=acme/*" --machine-user ci@machine.example.com --no-require-api-key',
  async run({ api, args, options, readText, out }) {
    const more = await jsonBody<Schemas["CreateExchangeProvider"]>({ readText }, options.json);
    const issuer = options.issuer ?? more.issuer;
    const fields = fieldsOf(options);
    const audiences = fields.audiences ?? more.audiences;
    if (issuer === undefined) throw badUsage("Missing option: --issuer <url>");
    if (!audiences) throw badUsage("Missing option: --audience <text>");
    const body = { ...more, ...fields, ...given({ slug: options.slug }), name: args.name, issuer, audiences };
    const { data, warnings } = await api().createExchangeProvider({ body });
    out.say(`Created trusted issuer \`${data.slug}\`.`);
    for (const warning of warnings ?? []) out.say(`Warning: ${warning}`);
    out.record(data);
  },
});

const update = verb({
  description: "Change a trusted issuer; changes of its trust end its credentials",
  args: ["issuer"],
  options: {
    name: { type: "text", hint: "name", description: "new name" },
    enabled: { type: "switch", description: "exchange its tokens; --no-enabled also ends its credentials" },
    ...FIELDS,
  },
  example: "gatehouse issuers update github-actions --no-enabled",
  async run({ api, args, options, readText, out }) {
    const more = await jsonBody<Schemas["UpdateExchangeProvider"]>({ readText }, options.json);
    const body = { ...more, ...fieldsOf(options), ...given({ name: options.name, enabled: options.enabled }) };
    if (Object.keys(body).length === 0) throw badUsage("Nothing to change. Pass an option such as --audience");
    const { data, warnings } = await api().updateExchangeProvider({ query: { slug: args.issuer }, body });
    out.say(`Updated trusted issuer \`${data.slug}\`.`);
    for (const warning of warnings ?? []) out.say(`Warning: ${warning}`);
    out.record(data);
  },
});

const remove = verb({
  description: "Delete a trusted issuer and end its credentials",
  args: ["issuer"],
  options: { yes: YES },
  example: "gatehouse issuers delete github-actions --yes",
  async run({ api, args, out, confirm }) {
    await confirm(`Delete trusted issuer ${args.issuer}? Its credentials end immediately.`);
    await api().deleteExchangeProvider({ query: { slug: args.issuer } });
    out.say(`Deleted trusted issuer \`${args.issuer}\`.`);
  },
});

const test = verb({
  description: "Show every check of a token; issues nothing",
  args: ["issuer"],
  options: {
    "token-file": { type: "text", hint: "file", description: "file with the token, or - for stdin; default: -" },
  },
  example: "gatehouse issuers test github-actions --token-file token.jwt",
  async run({ api, args, options, readText, out }) {
    const token = (await readText(options["token-file"] ?? "-")).trim();
    const { data } = await api().testExchangeProvider({ path: { slug: args.issuer }, body: { token } });
    const columns: Columns<Schemas["ExchangeProviderTest"]["checks"][number]> = {
      CHECK: (check) => check.name,
      RESULT: (check) => (check.ok ? "ok" : "failed"),
      DETAIL: (check) => check.detail,
    };
    out.list(data.checks, columns, "No checks.");
    if (!data.valid) throw new Failure(EXIT.failed, "The token is refused.");
    out.say(`The token is accepted and acts as ${data.user?.email ?? "its user"}.`);
  },
});

const credentials = verb({
  description: "List what was issued for tokens, newest first",
  options: {
    issuer: { type: "text", hint: "slug", description: "only for tokens of this issuer" },
    user: { type: "text", hint: "email", description: "only for this user" },
    active: { type: "switch", description: "only valid ones; --no-active: only others" },
    limit: LIMIT,
  },
  example: "gatehouse issuers credentials --issuer github-actions --active",
  async run({ api, options: { issuer: provider, user, active, limit }, out }) {
    const client = api();
    const status = active === undefined ? {} : ({ active: active ? "true" : "false" } as const);
    const query = { ...given({ provider, user }), ...status };
    const rows = await readSkipping(limit, (page) => client.listExchangeCredentials({ query: { ...query, ...page } }));
    const columns: Columns<Schemas["ExchangeCredential"]> = {
      ID: (row) => row.id,
      ISSUER: (row) => row.provider,
      USER: (row) => row.user_email,
      SUBJECT: (row) => row.subject,
      STATUS: (row) => (row.active ? "active" : (row.end_reason ?? "expired")),
      EXPIRES: (row) => row.expires_at,
    };
    out.list(rows, columns, "No credentials.");
  },
});

const end = verb({
  description: "End a credential with its tokens",
  args: ["id"],
  options: { yes: YES },
  example: "gatehouse issuers end exc_01kc5v6q3zt9x4m2e8h7d5n1pw --yes",
  async run({ api, args, out, confirm }) {
    await confirm(`End credential ${args.id}? Its tokens stop working immediately.`);
    await api().endExchangeCredential({ query: { id: args.id } });
    out.say(`Ended credential \`${args.id}\`.`);
  },
});

export const issuers: Noun = {
  description: "Trusted issuers, whose tokens are exchanged for gateway tokens",
  example: "gatehouse issuers list",
  verbs: { list, get, create, update, delete: remove, test, credentials, end },
};
