/** The table of published kinds. `docs/guide/extending.md` describes how to add one. */
import { compileCommand } from "#gateway/snapshot/compile-command";
import { compileGuard } from "#gateway/snapshot/compile-guard";
import { compileSkill } from "#gateway/snapshot/compile-skill";
import { compileToolkit } from "#gateway/snapshot/compile-toolkit";
import type { GuardServices } from "#gateway/snapshot/guard-checks";
import {
  placeCommands,
  placeCredentials,
  placeGroups,
  placeGuards,
  placeServers,
  placeSkills,
  placeToolkits,
  placeUsers,
} from "#gateway/snapshot/next-snapshot";
import type { CredentialEntry } from "#gateway/snapshot/shape";
import { listedArguments, publishedCommandsAfter, publishedCommandsByIds } from "#records/commands";
import { publishedCredentialsAfter, publishedCredentialsByIds } from "#records/credentials";
import { publishedGroupsAfter, publishedGroupsByIds } from "#records/groups";
import {
  type CheckSecrets,
  joinSecrets,
  type PublishedGuard,
  publishedGuardsAfter,
  publishedGuardsByIds,
} from "#records/guards";
import { publishedServersAfter, publishedServersByIds } from "#records/mcp-servers";
import { endedMcpSessions, mcpSessionsByIds } from "#records/mcp-sessions";
import { readSettings, SETTINGS_ID } from "#records/settings";
import { publishedSkillsAfter, publishedSkillsByIds } from "#records/skills";
import { publishedToolkitsAfter, publishedToolkitsByIds } from "#records/toolkits";
import { publishedUsersAfter, publishedUsersByIds } from "#records/users";
import type { MainDb } from "#storage/database";
import type { McpSessionRow } from "#storage/session-tables";
import {
  compileCredential,
  compileGroup,
  compileServer,
  compileUser,
  type OpenSharedHeaders,
  type Share,
} from "./compile.ts";
import { compileLimits } from "./compile-limits.ts";
import {
  compiledKind,
  notifiedKind,
  type PublishedKind,
  type PublishedState,
  withNotification,
} from "./published-kind.ts";
import { publishedRecords, singlePage } from "./published-records.ts";

const ROWS_PER_PAGE = 500;
/** A server is read with all its tools: 100 servers are about 2 MB of definitions. */
const SERVERS_PER_PAGE = 100;
/** A toolkit has up to 512 KiB of entries, and most have far less. */
const TOOLKITS_PER_PAGE = 50;
/** A skill has up to 512 files. */
const SKILLS_PER_PAGE = 50;
/** A command has up to 64 KiB of content. */
const COMMANDS_PER_PAGE = 100;
/** The number of ended sessions that the gateway keeps in memory. */
const MAX_ENDED_SESSIONS = 100_000;

export interface PublicationOptions {
  /** Opens the shared headers of servers. Absent: no server has any. */
  openSharedHeaders?: OpenSharedHeaders;
  /** Evaluates guards. Absent: no guard applies. */
  guards?: GuardServices;
  /** Opens the headers of webhook checks. Absent: no guard has any. */
  openGuardSecrets?(row: PublishedGuard): CheckSecrets;
  /** Receives the keys of changed connections before the write is answered; undefined if any may have changed. */
  connectionsChanged?(keys: ReadonlySet<string> | undefined): void;
  /** Receives the IDs of decided approvals; undefined if any may have been decided. */
  approvalsChanged?(ids: ReadonlySet<string> | undefined): void;
  /** Receives new or changed MCP sessions. A session may be reported more than once. */
  sessionsChanged?(sessions: readonly McpSessionRow[]): void;
}

/** In this order: servers and users share the ids of groups, and credentials share those of users. */
export function publishedKinds(options: PublicationOptions = {}): readonly PublishedKind[] {
  const changing = [guards(options), connections(options), approvals(options), sessions(options)];
  return [settings, groups, servers(options), toolkits, skills, commands, users, credentials, ...changing];
}

const settings = compiledKind({
  kind: "settings",
  records: singlePage(readSettingsRow, readSettingsRow),
  compile: (row) => compileLimits(row),
  place(state, entries) {
    const limits = entries.get(SETTINGS_ID) ?? state.snapshot.limits;
    return { ...state, snapshot: { ...state.snapshot, limits } };
  },
});

async function readSettingsRow(db: MainDb) {
  return [{ id: SETTINGS_ID, ...(await readSettings(db)) }];
}

const groups = compiledKind({
  kind: "group",
  records: publishedRecords(publishedGroupsAfter, publishedGroupsByIds, ROWS_PER_PAGE),
  compile: compileGroup,
  place: (state, entries) => ({ ...state, snapshot: placeGroups(state.snapshot, entries) }),
});

function servers({ openSharedHeaders }: PublicationOptions): PublishedKind {
  return compiledKind({
    kind: "server",
    records: publishedRecords(publishedServersAfter, publishedServersByIds, SERVERS_PER_PAGE),
    compile: (row, state) => compileServer(row, shareGroupIds(state), openSharedHeaders),
    place: (state, entries) => ({ ...state, snapshot: placeServers(state.snapshot, entries) }),
  });
}

const toolkits = compiledKind({
  kind: "toolkit",
  records: publishedRecords(publishedToolkitsAfter, publishedToolkitsByIds, TOOLKITS_PER_PAGE),
  compile: (row, state) => compileToolkit(row, shareGroupIds(state)),
  place: (state, entries) => ({ ...state, snapshot: placeToolkits(state.snapshot, entries) }),
});

const skills = compiledKind({
  kind: "skill",
  records: publishedRecords(publishedSkillsAfter, publishedSkillsByIds, SKILLS_PER_PAGE),
  compile: (row, state) => compileSkill(row, shareGroupIds(state)),
  place: (state, entries) => ({ ...state, snapshot: placeSkills(state.snapshot, entries) }),
});

const commands = compiledKind({
  kind: "command",
  records: publishedRecords(publishedCommandsAfter, publishedCommandsByIds, COMMANDS_PER_PAGE),
  compile: (row, state) => compileCommand({ ...row, listed: listedArguments(row.definition) }, shareGroupIds(state)),
  place: (state, entries) => ({ ...state, snapshot: placeCommands(state.snapshot, entries) }),
});

const users = compiledKind({
  kind: "user",
  records: publishedRecords(publishedUsersAfter, publishedUsersByIds, ROWS_PER_PAGE),
  compile: (row, state) => compileUser(row, shareGroupIds(state)),
  place: (state, entries) => ({ ...state, snapshot: placeUsers(state.snapshot, entries) }),
});

const credentials = compiledKind({
  kind: "credential",
  records: publishedRecords(publishedCredentialsAfter, publishedCredentialsByIds, ROWS_PER_PAGE),
  compile: (row, state) => ({ accessKey: row.access_key, entry: compileCredential(row, shareUserIds(state)) }),
  place(state, entries) {
    const accessKeyById = new Map<string, string | undefined>();
    const byAccessKey = new Map<string, CredentialEntry | undefined>();
    // Old access keys go first: a key of a deleted credential may now belong to another one.
    for (const id of entries.keys()) {
      const oldKey = state.accessKeyById.get(id);
      if (oldKey !== undefined) byAccessKey.set(oldKey, undefined);
    }
    for (const [id, credential] of entries) {
      accessKeyById.set(id, credential?.accessKey);
      if (credential) byAccessKey.set(credential.accessKey, credential.entry);
    }
    return {
      ...state,
      snapshot: placeCredentials(state.snapshot, byAccessKey),
      accessKeyById: state.accessKeyById.with(accessKeyById),
    };
  },
});

function guards({ guards: services, openGuardSecrets }: PublicationOptions): PublishedKind {
  return compiledKind({
    kind: "guard",
    records: publishedRecords(publishedGuardsAfter, publishedGuardsByIds, ROWS_PER_PAGE),
    compile: (row) => compileGuard({ ...row, checks: joinSecrets(row.checks, openGuardSecrets?.(row) ?? {}) }),
    place: (state, entries) => ({ ...state, snapshot: placeGuards(state.snapshot, entries, services) }),
  });
}

function connections({ connectionsChanged }: PublicationOptions): PublishedKind {
  return notifiedKind("connection", (keys) => connectionsChanged?.(keys));
}

function approvals({ approvalsChanged }: PublicationOptions): PublishedKind {
  return notifiedKind("approval", (ids) => approvalsChanged?.(ids));
}

function sessions({ sessionsChanged }: PublicationOptions): PublishedKind {
  return compiledKind({
    kind: "session",
    records: singlePage((db) => endedMcpSessions(db, MAX_ENDED_SESSIONS), mcpSessionsByIds),
    compile: (row) => row,
    place(state, entries) {
      const changed = [...entries.values()].filter((row) => row !== undefined);
      return changed.length === 0 ? state : withNotification(state, () => sessionsChanged?.(changed));
    },
  });
}

function shareGroupIds({ snapshot }: PublishedState): Share {
  return (id) => snapshot.groups.get(id)?.id ?? id;
}

function shareUserIds({ snapshot }: PublishedState): Share {
  return (id) => snapshot.usersById.get(id)?.id ?? id;
}
