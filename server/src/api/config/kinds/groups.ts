import { invalid } from "#lib/errors";
import { findGroup, listGrants } from "#records/groups";
import type { MainDb } from "#storage/database";
import { type ConfigObject, type Kind, type KindNeeds, pick, readAll, withoutNulls, withSortedSets } from "../kind.ts";

const FIELDS = ["name", "settings", "limits", "servers", "members"];

/**
 * A server of a group: all tools, some, or all but some. As it is stored, because the tools that `new_tools: include` grants
 * change with the server, and a file does not.
 */
interface Grant {
  readonly slug: string;
  readonly tools?: readonly string[];
  readonly except_tools?: readonly string[];
}

/** Groups that an identity provider manages are not included. Toolkits, skills, commands and plugins list their groups. */
export const groups: Kind = {
  name: "groups",
  key: "name",
  fields: FIELDS,
  normalize(object) {
    const { servers, limits } = object;
    return {
      ...withSortedSets(object, ["members"]),
      ...(limits === null && { limits: { calls_per_minute: null, concurrent_calls: null } }),
      ...(servers !== undefined && { servers: bySlug(grantsOf(servers).map(completeGrant)) }),
    };
  },
  async read({ invoke, db }) {
    const rows = await readAll(invoke, "listGroups");
    const objects: ConfigObject[] = [];
    for (const row of rows.filter(({ provisioned_by: by }) => by == null)) {
      const name = String(row.name);
      const servers = await readGrants(db, name);
      const members = await readAll(invoke, "listUsers", { group: name });
      const emails = members.map(({ email }) => String(email).toLowerCase()).sort();
      objects.push(pick({ ...row, servers: bySlug(servers), members: emails }, FIELDS));
    }
    return objects;
  },
  async create(needs, { servers, members, ...rest }) {
    await needs.invoke("createGroup", { body: withoutNulls(rest) });
    await setLinks(needs, { name: rest.name, servers: [], members: [] }, { servers, members });
  },
  async update(needs, before, { servers, members, ...rest }) {
    if (Object.keys(rest).length > 0)
      await needs.invoke("updateGroup", { query: { name: String(before.name) }, body: rest });
    await setLinks(needs, before, { servers, members });
  },
  async remove({ invoke }, { name }) {
    await invoke("deleteGroup", { query: { name: String(name) } });
  },
};

/** In one spelling. */
function completeGrant({ slug, tools, except_tools: except }: Partial<Grant>): ConfigObject {
  return { slug, tools: tools?.toSorted() ?? null, except_tools: except?.toSorted() ?? null };
}

function bySlug(grants: readonly ConfigObject[]): ConfigObject[] {
  return grants.toSorted((a, b) => (String(a.slug) < String(b.slug) ? -1 : 1));
}

async function readGrants(db: MainDb, name: string): Promise<ConfigObject[]> {
  const group = await findGroup(db, name);
  const filter = { groupId: group?.id, serverId: undefined };
  const grants = group ? await listGrants(db, filter, { offset: 0, limit: Number.MAX_SAFE_INTEGER }) : [];
  return grants.map(({ server_slug: slug, tool_rule: rule, tool_names: names }) => ({
    slug,
    ...(rule === "only" && { tools: names }),
    ...(rule === "except" && { except_tools: names }),
  }));
}

/** A new group can already have links, because other groups auto-assign; only the declared ones remain. */
async function setLinks(needs: KindNeeds, before: ConfigObject, wanted: ConfigObject): Promise<void> {
  const path = { name: String(before.name) };
  if (wanted.members !== undefined) {
    const [old, now] = [textsOf(before.members), textsOf(wanted.members).map((email) => email.toLowerCase())];
    const added = now.filter((email) => !old.includes(email));
    if (added.length > 0) await needs.invoke("addUsersToGroup", { path, body: { emails: added } });
    for (const email of old.filter((each) => !now.includes(each))) {
      await needs.invoke("removeUserFromGroup", { path, query: { email } });
    }
  }
  if (wanted.servers !== undefined) await setServers(needs, path, grantsOf(before.servers), grantsOf(wanted.servers));
}

async function setServers(
  { invoke }: KindNeeds,
  path: { readonly name: string },
  old: readonly Grant[],
  now: readonly Grant[],
): Promise<void> {
  const isIn = (list: readonly Grant[], slug: string) => list.some((grant) => grant.slug === slug);
  const added = now.filter(({ slug }) => !isIn(old, slug)).map(({ slug }) => slug);
  if (added.length > 0) await invoke("addIntegrationsToGroup", { path, body: { slugs: added } });
  for (const { slug } of old.filter((grant) => !isIn(now, grant.slug))) {
    await invoke("removeIntegrationFromGroup", { path, query: { slug } });
  }
  for (const grant of now) {
    const { slug, tools = null, except_tools: except } = grant;
    const was = completeGrant(old.find((each) => each.slug === slug) ?? { slug });
    if (JSON.stringify(was) === JSON.stringify(completeGrant(grant))) continue;
    const body = except ? { except_tools: except, ...(tools && { tools }) } : { tools };
    await invoke("updateGroupIntegration", { path, query: { slug }, body });
  }
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

const GRANT_FIELDS = ["slug", "tools", "except_tools"];

/** Values are checked by the operation; a list of names must be one for the comparison. */
function grantsOf(value: unknown): Grant[] {
  if (value == null) return [];
  if (!Array.isArray(value)) throw invalid("servers", "must be a list");
  return value.map((grant: ConfigObject, index) => {
    const unknown = Object.keys(grant).find((name) => !GRANT_FIELDS.includes(name));
    if (unknown !== undefined)
      throw invalid(`servers.${index}`, `unknown field ${unknown}. Fields: ${GRANT_FIELDS.join(", ")}`);
    const list = (name: string) => (grant[name] == null ? {} : { [name]: textsOf(grant[name]) });
    return { slug: String(grant.slug), ...list("tools"), ...list("except_tools") };
  });
}
