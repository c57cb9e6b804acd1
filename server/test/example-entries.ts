/** Entries for tests of the gateway: small, complete, and telling only what a test is about. */
import { emptySnapshot, nextSnapshot } from "#gateway/snapshot/next-snapshot";
import type { CredentialEntry, GroupEntry, ServerEntry, Snapshot, UserEntry } from "#gateway/snapshot/shape";

export function exampleServer(slug: string, groupIds: readonly string[], rest: Partial<ServerEntry> = {}): ServerEntry {
  const tools = rest.tools ?? new Map([["echo", { slug: "echo", upstreamName: "echo" }]]);
  return {
    id: `srv_${slug}`,
    slug,
    name: slug,
    active: true,
    groupIds: new Set(groupIds),
    upstream: { url: "http://127.0.0.1:1/mcp", transport: "http", authType: "none", eras: ["modern"] },
    synced: true,
    warnings: "",
    tools,
    toolCount: tools.size,
    toolsFragment: Buffer.from([...tools.keys()].map((tool) => `{"name":"${slug}__${tool}"}`).join(",")),
    prompts: { byKey: new Map(), count: 0, fragment: Buffer.alloc(0) },
    resources: { byKey: new Map(), count: 0, fragment: Buffer.alloc(0) },
    resourceTemplates: { byKey: new Map(), count: 0, fragment: Buffer.alloc(0) },
    ...rest,
  };
}

export function exampleUser(id: string, groupIds: readonly string[], rest: Partial<UserEntry> = {}): UserEntry {
  return { id, email: `${id}@example.com`, isMachine: true, disabled: false, groupIds, ...rest };
}

export interface ExampleSetup {
  readonly servers?: readonly ServerEntry[];
  /** Group id → whether it shows drafts; which servers it holds is told by the servers. */
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
