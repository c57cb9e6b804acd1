import type { Schemas } from "#openapi/types";
import { badUsage } from "../failure.ts";
import type { Columns } from "../output.ts";
import { given, jsonBody } from "../read-json.ts";
import { readSkipping } from "../read-pages.ts";
import { readDurationMs } from "../read-time.ts";
import { saveSecret } from "../secret-file.ts";
import { type Call, JSON_BODY, LIMIT, type Noun, type Option, SAVE_TO, SEARCH, verb, YES } from "../verb.ts";

const OWNER = {
  type: "list",
  hint: "id",
  description: "machine users: ID of a person who owns it; repeat for more",
} as const satisfies Option;

const list = verb({
  description: "List people and machine users",
  options: { search: SEARCH, limit: LIMIT },
  example: "gatehouse users list --search ada",
  async run({ api, options: { search, limit }, out }) {
    const client = api();
    const rows = await readSkipping(limit, (page) => client.listUsers({ query: { search, ...page } }));
    const columns: Columns<Schemas["User"]> = {
      EMAIL: (user) => user.email,
      NAME: (user) => user.name,
      KIND: (user) => (user.is_machine_user ? "machine" : "person"),
      ROLE: (user) => user.role,
      GROUPS: (user) => user.group_ids.length,
      RISK: (user) => user.risk_score,
      DISABLED: (user) => user.disabled,
      ID: (user) => user.id,
    };
    out.list(
      rows,
      columns,
      search === undefined ? "No users yet. Create one: gatehouse users create --help" : "No users match.",
    );
  },
});

const get = verb({
  description: "Show a person or machine user",
  args: ["email"],
  example: "gatehouse users get ada@example.com",
  async run({ api, args, out }) {
    out.record((await api().getUser({ path: args })).data);
  },
});

const create = verb({
  description: "Create a person, or a machine user; its access key is shown only once",
  args: ["name"],
  options: {
    email: { type: "text", hint: "email", description: "people: email" },
    machine: { type: "flag", description: "create a machine user, for a bot or script" },
    slug: { type: "text", hint: "slug", description: "machine users: the first part of the email" },
    owner: OWNER,
    "save-to": SAVE_TO,
    json: JSON_BODY,
  },
  example: 'gatehouse users create "Build bot" --machine --save-to build-bot.key',
  async run({ api, args, options, readText, out }) {
    const { email, machine, slug, owner } = options;
    const more = await jsonBody<Schemas["CreateMachineUser"]>({ readText }, options.json);
    const fields = given({ email, is_machine_user: machine, slug, owner_ids: owner });
    // The API validates which of the two variants it is.
    const body = { ...more, ...fields, name: args.name } as Schemas["CreatePerson"] | Schemas["CreateMachineUser"];
    if (options["save-to"] !== undefined && body.is_machine_user !== true) {
      throw badUsage("--save-to requires --machine: people have no access key");
    }
    const client = api();
    await showKey({ out }, options["save-to"], async () => {
      const created = await client.createUser({ body });
      out.say(`Created user \`${created.data.email}\`.`);
      return created;
    });
  },
});

/** Spec 2.7: the secret is returned once, so it is saved to the file or printed. */
async function showKey(
  { out }: Pick<Call, "out">,
  file: string | undefined,
  obtain: () => Promise<{ readonly data: Schemas["User"]; readonly credentials?: Schemas["Credentials"] | undefined }>,
): Promise<void> {
  const { answer, saved } = await saveSecret(file, async () => {
    const { data, credentials } = await obtain();
    const key = credentials && `${credentials.client_id}:${credentials.secret}`;
    return { secret: key, answer: { data, credentials } };
  });
  const { data, credentials } = answer;
  if (saved) out.say(`Saved the access key of ${data.email} to ${file}.`);
  else if (credentials) out.say("Copy the secret now. It is shown only once.");
  out.record(credentials && !saved ? { ...data, credentials } : data);
}

const update = verb({
  description: "Change a user; omitted options stay unchanged",
  args: ["email"],
  options: {
    name: { type: "text", hint: "name", description: "new name" },
    risk: { type: "text", hint: "0-100|none", description: "risk score" },
    owner: OWNER,
    "no-owners": { type: "flag", description: "machine users: remove all owners" },
    role: { type: "choice", choices: ["owner", "admin", "auditor", "member"], description: "people: role" },
    toolkit: { type: "text", hint: "slug|none", description: "machine users: the only toolkit that it can use" },
    "external-id": {
      type: "text",
      hint: "id|none",
      description: "ID at the identity provider; for people, requires a token with the scope all",
    },
    disabled: { type: "switch", description: "block sign-in and all keys" },
  },
  example: "gatehouse users update ada@example.com --risk 20",
  async run({ api, args, options, out }) {
    const { name, risk, owner, role, toolkit, disabled } = options;
    if (owner && options["no-owners"]) throw badUsage("--owner and --no-owners cannot be combined");
    const body = given({
      name,
      risk_score: risk === undefined ? undefined : readRisk(risk),
      owner_ids: options["no-owners"] ? [] : owner,
      role,
      toolkit: toolkit === "none" ? null : toolkit,
      external_id: options["external-id"] === "none" ? null : options["external-id"],
      disabled,
    });
    if (Object.keys(body).length === 0) throw badUsage("Nothing to change. Pass at least one option.");
    const { data } = await api().updateUser({ query: args, body });
    out.say(`Updated ${data.email}.`);
    out.record(data);
  },
});

function readRisk(text: string): number | null {
  if (text === "none") return null;
  if (/^\d{1,3}(?:\.\d{1,6})?$/.test(text) && Number(text) <= 100) return Number(text);
  throw badUsage(`--risk must be a number from 0 to 100 or "none", not "${text}"`);
}

const LONGEST_OVERLAP_SECONDS = 7 * 24 * 60 * 60;

const rotateSecret = verb({
  description: "Create a new secret for a machine user; it is shown only once",
  args: ["email"],
  options: {
    overlap: {
      type: "text",
      hint: "duration",
      description: "keep the old secret valid for up to 7d (default: it stops working immediately)",
    },
    "save-to": SAVE_TO,
    yes: YES,
  },
  example: "gatehouse users rotate-secret build-bot@machine.gatehouse.local --overlap 24h --save-to new.key --yes",
  async run({ api, args, options, out, confirm }) {
    const { overlap } = options;
    const overlapSeconds = overlap === undefined ? 0 : readDurationMs("overlap", overlap) / 1000;
    if (overlapSeconds > LONGEST_OVERLAP_SECONDS) throw badUsage("--overlap must be at most 7d");
    const body = { overlap_seconds: overlapSeconds };
    const client = api();
    const expiry = overlap ? `expires in ${overlap}` : "stops working immediately";
    await confirm(`Rotate the secret of ${args.email}? The old secret ${expiry}.`);
    await showKey({ out }, options["save-to"], () => client.rotateUserSecret({ query: args, body }));
  },
});

const revokeOldSecret = verb({
  description: "Revoke the old secret of a machine user before its overlap ends",
  args: ["email"],
  options: { yes: YES },
  example: "gatehouse users revoke-old-secret build-bot@machine.gatehouse.local --yes",
  async run({ api, args, out, confirm }) {
    const client = api();
    await confirm(`Revoke the old secret of ${args.email}? Clients that still use it are rejected.`);
    await client.revokeOldSecret({ query: args });
    out.say(`Revoked the old secret of ${args.email}.`);
  },
});

const setClient = verb({
  description: "Set or remove the OAuth client of a machine user; tokens of the previous client are deleted",
  args: ["email"],
  options: {
    "client-id": { type: "text", hint: "id", description: "client ID" },
    "client-secret-file": { type: "text", hint: "file", description: "file with the client secret; - for stdin" },
    "token-url": { type: "text", hint: "url", description: "token URL" },
    remove: { type: "flag", description: "remove the OAuth client" },
    yes: YES,
  },
  example:
    "gatehouse users set-client build-bot@machine.gatehouse.local --client-id bot --client-secret-file bot.secret --token-url https://idp.example.com/token --yes",
  async run({ api, args, options, readText, out, confirm }) {
    const fields = [options["client-id"], options["client-secret-file"], options["token-url"]];
    if (options.remove && fields.some((field) => field !== undefined)) {
      throw badUsage("--remove cannot be combined with the fields of a new client");
    }
    const [clientId, secretFile, tokenUrl] = fields;
    if (!options.remove && (clientId === undefined || secretFile === undefined || tokenUrl === undefined)) {
      throw badUsage("Pass --client-id, --client-secret-file, and --token-url, or --remove.");
    }
    const client = api();
    await confirm(
      `${options.remove ? "Remove" : "Replace"} the OAuth client of ${args.email}? Its tokens are deleted.`,
    );
    const next =
      clientId === undefined || secretFile === undefined || tokenUrl === undefined
        ? null
        : { clientId, clientSecret: (await readText(secretFile)).trim(), tokenUrl };
    const { data } = await client.setClientCredentials({ query: args, body: { client_credentials: next } });
    out.say(next ? `Set the OAuth client of ${data.email}.` : `Removed the OAuth client of ${data.email}.`);
  },
});

const invite = verb({
  description: "Create an invitation: a single-use link for a person's first sign-in, or to reset their account",
  args: ["email"],
  options: { "save-to": SAVE_TO, yes: YES },
  example: "gatehouse users invite ada@example.com",
  async run({ api, args, options, out, confirm }) {
    const file = options["save-to"];
    const client = api();
    if (await hasSignedIn(client, args.email)) {
      await confirm(
        `${args.email} has signed in before. When the link is used, the connections, web sessions, MCP clients, and API tokens of this account are deleted. Create the link?`,
      );
    }
    const { answer, saved } = await saveSecret(file, async () => {
      const { data, invite_url } = await client.inviteUser({ query: args });
      return { secret: invite_url, answer: { ...data, invite_url } };
    });
    const { invite_url, ...invitation } = answer;
    out.say(saved ? `Saved the link to ${file}.` : "Send this link to the person now. It is shown only once.");
    out.record(saved ? invitation : { ...invitation, invite_url });
  },
});

/** Whether accepting an invitation resets the account. */
async function hasSignedIn(client: ReturnType<Call["api"]>, email: string): Promise<boolean> {
  const isSame = (user: Schemas["ListedUser"]) => user.email.toLowerCase() === email.toLowerCase();
  const query = { search: email, type: "person", include_details: true } as const;
  const rows = await readSkipping(undefined, (page) => client.listUsers({ query: { ...query, ...page } }));
  return (rows.find(isSame)?.sign_in_methods ?? []).length > 0;
}

const remove = verb({
  description: "Delete a user and their keys, group memberships, and connections",
  args: ["email"],
  options: { yes: YES },
  example: "gatehouse users delete ada@example.com --yes",
  async run({ api, args, out, confirm }) {
    const client = api();
    await confirm(`Delete ${args.email} and all their keys, group memberships, and connections?`);
    await client.deleteUser({ query: args });
    out.say(`Deleted ${args.email}.`);
  },
});

export const users: Noun = {
  description: "People and machine users",
  verbs: {
    list,
    get,
    create,
    update,
    invite,
    "rotate-secret": rotateSecret,
    "revoke-old-secret": revokeOldSecret,
    "set-client": setClient,
    delete: remove,
  },
  example: "gatehouse users create Ada --email ada@example.com",
};
