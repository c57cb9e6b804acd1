import { type ConfigObject, type Kind, type KindNeeds, pick, readAll, withoutNulls } from "../kind.ts";

const FIELDS = ["name", "settings", "limits", "servers", "members"];

interface Grant {
  readonly slug: string;
  readonly tools?: readonly string[] | null;
  readonly new_tools?: string;
}

/** Groups that an identity provider manages are not included. Toolkits, skills, commands and plugins list their groups. */
export const groups: Kind = {
  name: "groups",
  key: "name",
  fields: FIELDS,
  async read({ invoke }) {
    const rows = await readAll(invoke, "listGroups");
    const objects: ConfigObject[] = [];
    for (const row of rows.filter(({ provisioned_by: by }) => by == null)) {
      const name = String(row.name);
      const servers = await readAll(invoke, "listGroupIntegrations", {}, { name });
      const members = await readAll(invoke, "listUsers", { group: name });
      const emails = members.map(({ email }) => String(email).toLowerCase()).sort();
      objects.push(pick({ ...row, servers: servers.map(grantOf), members: emails }, FIELDS));
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

function grantOf({ slug, tools, new_tools: newTools }: ConfigObject): ConfigObject {
  return { slug, ...(tools === null && newTools === "include" ? {} : { tools, new_tools: newTools }) };
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
  for (const { slug, tools = null, new_tools: newTools } of now) {
    const was = old.find((grant) => grant.slug === slug) ?? { slug };
    const isSame = JSON.stringify([was.tools ?? null, was.new_tools]) === JSON.stringify([tools, newTools]);
    if (isSame) continue;
    const body = { tools, ...(newTools !== undefined && { new_tools: newTools }) };
    await invoke("updateGroupIntegration", { path, query: { slug }, body });
  }
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function grantsOf(value: unknown): Grant[] {
  return Array.isArray(value) ? value : [];
}
