/** Snapshot entries for tests of the gateway: complete, with parameters only for what a test needs. */
import { buildListing, EMPTY_LISTING, type Listing } from "#gateway/snapshot/listing";
import { emptySnapshot, nextSnapshot } from "#gateway/snapshot/next-snapshot";
import type { CredentialEntry, GroupEntry, NamedItem, ServerEntry, Snapshot, UserEntry } from "#gateway/snapshot/shape";

export function exampleServer(slug: string, groupIds: readonly string[], rest: Partial<ServerEntry> = {}): ServerEntry {
  return {
    kind: "server",
    key: slug,
    id: `srv_${slug}`,
    slug,
    name: slug,
    active: true,
    groupIds: new Set(groupIds),
    upstream: { url: "http://127.0.0.1:1/mcp", transport: "http", authType: "none", eras: ["modern"] },
    synced: true,
    warnings: "",
    tools: exampleTools(slug, ["echo"]),
    prompts: EMPTY_LISTING,
    resources: EMPTY_LISTING,
    resourceTemplates: EMPTY_LISTING,
    ...rest,
  };
}

/** Tools with these upstream names, each with the definition from `definition`. */
export function exampleTools(
  serverSlug: string,
  names: readonly string[],
  definition: (name: string) => object = () => ({}),
): Listing<NamedItem> {
  const definitions = names.map((name) => ({
    identifier: `${serverSlug}__${name}`,
    definition: JSON.stringify(definition(name)),
    fields: { slug: name, upstreamName: name },
  }));
  return buildListing("tools", definitions, ({ slug }) => [slug]);
}

export function exampleUser(id: string, groupIds: readonly string[], rest: Partial<UserEntry> = {}): UserEntry {
  return { id, email: `${id}@example.com`, isMachine: true, disabled: false, groupIds, ...rest };
}

export interface ExampleSetup {
  readonly servers?: readonly ServerEntry[];
  /** Group ID → whether it shows drafts; the servers define which groups contain them. */
  readonly groups?: Readonly<Record<string, boolean>>;
  readonly users?: readonly UserEntry[];
  readonly credentials?: Readonly<Record<string, CredentialEntry>>;
}

export function exampleSnapshot({ servers = [], groups = {}, users = [], credentials = {} }: ExampleSetup): Snapshot {
  const groupEntries = Object.entries(groups).map(([id, showDrafts]): [string, GroupEntry] => {
    const serverIds = servers.filter((server) => server.groupIds.has(id)).map((server) => server.id);
    return [id, { id, showDrafts, serverIds }];
  });
  return nextSnapshot(emptySnapshot, {
    revision: 1,
    servers: new Map(servers.map((server) => [server.id, server])),
    groups: new Map(groupEntries),
    users: new Map(users.map((user) => [user.id, user])),
    credentials: new Map(Object.entries(credentials)),
  });
}
