import type { Schemas } from "#openapi/types";
import { badUsage } from "../failure.ts";
import type { Columns } from "../output.ts";
import { given, jsonBody } from "../read-json.ts";
import { readSkipping } from "../read-pages.ts";
import { readSpanMs } from "../read-time.ts";
import { saveSecret } from "../secret-file.ts";
import { type Call, JSON_BODY, LIMIT, type Noun, type Option, SAVE_TO, SEARCH, verb, YES } from "../verb.ts";

const OWNER = {
  type: "list",
  hint: "id",
  says: "machine users: the id of a person who owns it",
} as const satisfies Option;

const list = verb({
  says: "List people and machine users",
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
    out.list(rows, columns, "users");
  },
});

const get = verb({
  says: "Show one person or machine user",
  args: ["email"],
  example: "gatehouse users get ada@example.com",
  async run({ api, args, out }) {
    out.record((await api().getUser({ path: args })).data);
  },
});

const create = verb({
  says: "Add a person, or a machine user with its access key, which is shown this once",
  args: ["name"],
  options: {
    email: { type: "text", hint: "address", says: "people: the e-mail address" },
    machine: { type: "flag", says: "a machine user, for a bot, script or job" },
    slug: { type: "text", hint: "slug", says: "machine users: the first part of its e-mail address" },
    owner: OWNER,
    "save-to": SAVE_TO,
    json: JSON_BODY,
  },
  example: 'gatehouse users create "Build bot" --machine --save-to build-bot.key',
  async run({ api, args, options, readText, out }) {
    const { email, machine, slug, owner } = options;
    const more = await jsonBody<Schemas["CreateMachineUser"]>({ readText }, options.json);
    const fields = given({ email, is_machine_user: machine, slug, owner_ids: owner });
    // One of the two variants; which one, and whether it is complete, is for the API to judge.
    const body = { ...more, ...fields, name: args.name } as Schemas["CreatePerson"] | Schemas["CreateMachineUser"];
    if (options["save-to"] !== undefined && body.is_machine_user !== true) {
      throw badUsage("people have no access key to save; did you forget --machine?");
    }
    const client = api();
    await showKey({ out }, options["save-to"], () => client.createUser({ body }));
  },
});

/** Spec 2.7: there is no second look at the secret, so it goes to the file or to stdout, never to neither. */
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
  if (saved) out.say(`The access key of ${data.email} is in ${file}; it cannot be shown again.`);
  else if (credentials) out.say("The secret is shown this once: put it away now.");
  out.record(credentials && !saved ? { ...data, credentials } : data);
}

const update = verb({
  says: "Change a user; what is not given stays as it is",
  args: ["email"],
  options: {
    name: { type: "text", hint: "name", says: "the new name" },
    risk: { type: "text", hint: "0-100|none", says: "the risk score, or none" },
    owner: OWNER,
    "no-owners": { type: "flag", says: "machine users: nobody owns it" },
    role: { type: "choice", choices: ["owner", "admin", "auditor", "member"], says: "people: what they may do" },
    disabled: { type: "switch", says: "whether all keys and sign-ins are stopped" },
  },
  example: "gatehouse users update ada@example.com --risk 20",
  async run({ api, args, options, out }) {
    const { name, risk, owner, role, disabled } = options;
    if (owner && options["no-owners"]) throw badUsage("--owner and --no-owners contradict each other");
    const body = given({
      name,
      risk_score: risk === undefined ? undefined : readRisk(risk),
      owner_ids: options["no-owners"] ? [] : owner,
      role,
      disabled,
    });
    if (Object.keys(body).length === 0) throw badUsage("there is nothing to change");
    const { data } = await api().updateUser({ query: args, body });
    out.say(`${data.email} is changed.`);
    out.record(data);
  },
});

function readRisk(text: string): number | null {
  if (text === "none") return null;
  if (/^\d{1,3}(?:\.\d{1,6})?$/.test(text)) return Number(text);
  throw badUsage(`--risk must be a number from 0 to 100, or none, not "${text}"`);
}

const rotateSecret = verb({
  says: "Give a machine user a new secret, which is shown this once",
  args: ["email"],
  options: {
    overlap: {
      type: "text",
      hint: "span",
      says: "how long the secret so far stays valid, such as 24h; else it ends at once",
    },
    "save-to": SAVE_TO,
    yes: YES,
  },
  example: "gatehouse users rotate-secret build-bot@machine.gatehouse.local --overlap 24h --save-to new.key --yes",
  async run({ api, args, options, out, confirm }) {
    const { overlap } = options;
    const body = { overlap_seconds: overlap === undefined ? 0 : readSpanMs("overlap", overlap) / 1000 };
    const client = api();
    await confirm(`Rotate the secret of ${args.email}? The one so far ends ${overlap ? `in ${overlap}` : "at once"}.`);
    await showKey({ out }, options["save-to"], () => client.rotateUserSecret({ query: args, body }));
  },
});

const invite = verb({
  says: "Make a single-use link with which a person signs in, which is shown this once",
  args: ["email"],
  options: { "save-to": SAVE_TO },
  example: "gatehouse users invite ada@example.com",
  async run({ api, args, options, out }) {
    const file = options["save-to"];
    const client = api();
    const { answer, saved } = await saveSecret(file, async () => {
      const { data, invite_url } = await client.inviteUser({ query: args });
      return { secret: invite_url, answer: { ...data, invite_url } };
    });
    const { invite_url, ...invitation } = answer;
    out.say(
      saved ? `The link is in ${file}; it cannot be shown again.` : "The link is shown this once: hand it on now.",
    );
    out.record(saved ? invitation : { ...invitation, invite_url });
  },
});

const remove = verb({
  says: "Delete a user with its keys, memberships and connections",
  args: ["email"],
  options: { yes: YES },
  example: "gatehouse users delete ada@example.com --yes",
  async run({ api, args, out, confirm }) {
    const client = api();
    await confirm(`Delete ${args.email} with all keys, memberships and connections?`);
    out.say((await client.deleteUser({ query: args })).message);
  },
});

export const users: Noun = {
  says: "People and machine users",
  verbs: { list, get, create, update, invite, "rotate-secret": rotateSecret, delete: remove },
  example: "gatehouse users create Ada --email ada@example.com",
};
