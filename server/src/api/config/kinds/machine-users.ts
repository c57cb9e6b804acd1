import { openClientCredentials } from "#connect/connect";
import { isObject } from "#lib/is-object";
import {
  type ConfigObject,
  dataOf,
  type Kind,
  type KindNeeds,
  pick,
  readAll,
  requireKey,
  withSortedSets,
} from "../kind.ts";

const FIELDS = ["slug", "name", "owners", "toolkit", "external_id", "risk_score", "disabled", "client_credentials"];

/** Without access keys, which are created and rotated, not declared. */
export const machineUsers: Kind = {
  name: "machine-users",
  key: "slug",
  fields: FIELDS,
  exact: ["client_credentials"],
  secrets: ({ client_credentials: client }) => (isObject(client) ? ["client_credentials.clientSecret"] : []),
  // A toolkit belongs to groups, and groups have machine users as members.
  deferred: () => ["toolkit"],
  normalize: (object) => withSortedSets(object, ["owners"]),
  async read({ invoke, db, context }) {
    const rows = await readAll(invoke, "listUsers", { type: "machine" });
    const users = await db.selectFrom("users").select(["id", "email", "sealed_client_credentials"]).execute();
    const stored = new Map(users.map((user) => [user.id, user]));
    const emailOf = (id: unknown) => stored.get(String(id))?.email.toLowerCase();
    return rows
      .filter(({ provisioned_by: by }) => by == null)
      .map((row) => {
        const owners = Array.isArray(row.owner_ids)
          ? row.owner_ids
              .map(emailOf)
              .filter((email) => email !== undefined)
              .sort()
          : [];
        const user = stored.get(String(row.id));
        const client = user && openClientCredentials(context.vault, user);
        return pick({ ...row, owners, client_credentials: client ?? null }, FIELDS);
      });
  },
  async create(needs, object) {
    const { slug, name, owners, external_id: externalId, ...rest } = object;
    const body = {
      ...{ is_machine_user: true, slug, name },
      ...(owners !== undefined && { owner_ids: await idsOf(needs, owners) }),
      ...(externalId != null && { external_id: externalId }),
    };
    requireKey(slug, dataOf(await needs.invoke("createUser", { body })).slug);
    const others = Object.fromEntries(Object.entries(rest).filter(([, value]) => value != null && value !== false));
    if (Object.keys(others).length > 0) await machineUsers.update(needs, { slug }, others);
  },
  async update(needs, before, { owners, client_credentials: client, ...rest }) {
    const query = { email: await emailOf(needs, before) };
    const body = { ...rest, ...(owners !== undefined && { owner_ids: await idsOf(needs, owners) }) };
    if (Object.keys(body).length > 0) await needs.invoke("updateUser", { query, body });
    if (client !== undefined)
      await needs.invoke("setClientCredentials", { query, body: { client_credentials: client } });
  },
  // An agent creates its machine user, which files need not declare. It stays unless they delete the agent or give it
  // another one.
  async isKept({ slug }, { db }, declared) {
    const agents = await db
      .selectFrom("agents")
      .innerJoin("users", "users.id", "agents.identity_id")
      .select(["agents.slug", "users.email"])
      .where("users.slug", "=", String(slug))
      .execute();
    return agents.some(({ slug: agent, email }) => {
      const wanted = declared("agents", agent);
      if (wanted === "pruned") return false;
      return wanted?.identity === undefined || String(wanted.identity).toLowerCase() === email.toLowerCase();
    });
  },
  async remove(needs, object) {
    await needs.invoke("deleteUser", { query: { email: await emailOf(needs, object) } });
  },
};

async function emailOf({ db }: KindNeeds, { slug }: ConfigObject): Promise<string> {
  const row = await db.selectFrom("users").select("email").where("slug", "=", String(slug)).executeTakeFirst();
  return row?.email ?? String(slug);
}

/** An unknown email is passed on, so that the operation names it. */
async function idsOf({ db }: KindNeeds, owners: unknown): Promise<string[]> {
  const emails = Array.isArray(owners) ? owners.map(String) : [];
  const users = await db.selectFrom("users").select(["id", "email_key"]).execute();
  return emails.map((email) => users.find((user) => user.email_key === email.toLowerCase())?.id ?? email);
}
