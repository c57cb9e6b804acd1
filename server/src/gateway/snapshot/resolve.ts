/**
 * The gateway's one access decision (AZ-2): lists, calls, `GET /api/access` and its explanation are all resolved here.
 * Pure and synchronous.
 */

import { SKILL_SCHEME } from "#lib/skill-uri";
import { selects } from "#lib/tool-selection";
import { COMMANDS, CommandSource } from "./command-source.ts";
import type { CommandEntry } from "./commands.ts";
import type {
  AnswerHere,
  Decision,
  Forward,
  NamedKind,
  Reach,
  Refused,
  ResourceDecision,
  Selection,
} from "./decision.ts";
import { callableItem, type Exposure } from "./exposure.ts";
import { reachOf } from "./own-access.ts";
import { findListed, findResource } from "./resources.ts";
import { ALL_SERVERS, type Scope } from "./scope.ts";
import { SEARCH_SOURCE } from "./search-source.ts";
import type { GroupEntry, ServerEntry, Snapshot, Source } from "./shape.ts";
import { type SkillFile, skillFileOf, skillOf, skillsOf } from "./skill-access.ts";
import { SKILLS, SkillSource } from "./skill-source.ts";
import { SKILL_TOOLS } from "./skill-tools.ts";
import type { SkillEntry } from "./skills.ts";
import { exposureOf, type Subject, selectedToolkit } from "./toolkit-access.ts";
import type { ToolkitEntry } from "./toolkits.ts";

export type { Subject };

const USER_DISABLED: Reach = { reached: false, reason: "user-disabled" };
const NO_GROUP: Reach = { reached: false, reason: "no-group" };
const DRAFT: Reach = { reached: false, reason: "draft" };
const NOT_SELECTED: Reach = { reached: false, reason: "not-selected" };
const SEPARATOR = "__";
const MALFORMED: Refused = { kind: "refused", reason: "malformed-name" };
const UNKNOWN_SERVER: Refused = { kind: "refused", reason: "unknown-server" };

export function resolve(snapshot: Snapshot, subject: Subject, scope: Scope = ALL_SERVERS): Resolution {
  return new Resolution(snapshot, subject, scope);
}

/** What a subject can access within a scope. Each method computes its result on demand. */
export class Resolution {
  readonly #snapshot: Snapshot;
  readonly #subject: Subject;
  readonly #scope: Scope;

  constructor(snapshot: Snapshot, subject: Subject, scope: Scope) {
    this.#snapshot = snapshot;
    this.#subject = subject;
    this.#scope = scope;
  }

  /**
   * Access needs a group that exists, has the source and shows it: drafts only show with D16's setting (AZ-6). With the
   * server's name of a tool, the group must also grant the tool (F9).
   */
  reach(source: Source, tool?: string): Reach {
    const { user } = this.#subject;
    if (user.disabled) return USER_DISABLED;
    let refusal = NO_GROUP;
    for (const groupId of user.groupIds) {
      if (!source.groupIds.has(groupId)) continue;
      const group = this.#snapshot.groups.get(groupId);
      if (!group) continue;
      if (!shows(group, source)) {
        if (refusal === NO_GROUP) refusal = DRAFT;
      } else if (tool === undefined || grants(group, source, tool)) return { reached: true, through: group };
      else refusal = NOT_SELECTED;
    }
    return refusal;
  }

  /** Every group that gives access to the source, or to one of its tools; `reach` stops at the first. */
  groupsThrough(source: Source, tool?: string): GroupEntry[] {
    const { user } = this.#subject;
    if (user.disabled) return [];
    return user.groupIds.flatMap((groupId) => {
      const group = source.groupIds.has(groupId) ? this.#snapshot.groups.get(groupId) : undefined;
      return group && shows(group, source) && (tool === undefined || grants(group, source, tool)) ? [group] : [];
    });
  }

  /** The tools of a source that groups have selected. Undefined: all of them. */
  selection(source: Source): Selection | undefined {
    const groups = this.groupsThrough(source);
    if (!groups.every((group) => selectsTools(group, source))) return undefined;
    return {
      key: groups.map(({ id }) => id).join(" "),
      has: (tool) => groups.some((group) => grants(group, source, tool)),
    };
  }

  /**
   * The toolkit that the view is limited to. Undefined: to none. Null: to one that does not exist, that is a draft, or
   * that the subject cannot use, so that the view is empty (F12).
   */
  toolkit(): ToolkitEntry | null | undefined {
    return selectedToolkit(this.#snapshot, this.#subject, this.#scope);
  }

  /** What toolkits expose of a server. Undefined: no toolkit restricts it. */
  exposure(server: ServerEntry): Exposure | undefined {
    return exposureOf(this.#snapshot, this.#subject, this.#scope, server);
  }

  /** Everything that can be listed, ordered by key. A server out of reach and an unknown one both list nothing (D27). */
  sources(): Source[] {
    const skills = this.skills();
    const commands = this.commands();
    const servers = this.#serversAndOwn();
    if (skills.length > 0) servers.unshift(new SkillSource(skills));
    if (commands.length > 0) servers.push(new CommandSource(commands));
    return servers;
  }

  /** The commands that the subject can use, by slug. */
  commands(): CommandEntry[] {
    const { sorted } = this.#snapshot.commands;
    return sorted.length === 0 ? [] : sorted.filter(this.#reachesCommand());
  }

  /** Undefined for a command that does not exist and for one out of reach (D26). */
  command(slug: string): CommandEntry | undefined {
    const command = this.#snapshot.commands.bySlug.get(slug);
    return command && this.#reachesCommand()(command) ? command : undefined;
  }

  #reachesCommand() {
    return reachOf(this.#snapshot, this.#subject, this.#scope, "commands");
  }

  /** The skills that the subject can use, by slug. */
  skills(): SkillEntry[] {
    return skillsOf(this.#snapshot, this.#subject, this.#scope);
  }

  skill(slug: string): SkillEntry | undefined {
    return skillOf(this.#snapshot, this.#subject, this.#scope, slug);
  }

  /** A file of a skill of the organization, by its URI. */
  skillFile(uri: string): SkillFile | undefined {
    return skillFileOf(this.#snapshot, this.#subject, this.#scope, uri);
  }

  #serversAndOwn(): Source[] {
    const slugs = this.#slugsInScope();
    if (slugs) return this.#reachedBySlug(slugs);
    const sources = new Set<Source>();
    for (const groupId of this.#subject.user.groupIds) {
      for (const serverId of this.#snapshot.groups.get(groupId)?.serverIds ?? []) {
        const server = this.#snapshot.serversById.get(serverId);
        if (server && this.reach(server).reached) sources.add(server);
      }
    }
    for (const own of this.#snapshot.ownSources) if (this.reach(own).reached) sources.add(own);
    return [...sources].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** Undefined: every server. */
  #slugsInScope(): readonly string[] | undefined {
    const { slug } = this.#scope;
    const toolkit = this.toolkit();
    if (toolkit === null) return [];
    if (slug !== undefined) return !toolkit || toolkit.parts.has(slug) ? [slug] : [];
    return toolkit && [...toolkit.parts.keys()].sort();
  }

  #reachedBySlug(slugs: readonly string[]): ServerEntry[] {
    return slugs.flatMap((slug) => {
      const server = this.#serverBySlug(slug);
      return server && this.reach(server).reached ? [server] : [];
    });
  }

  /** A tool or a prompt, by the name that the caller used. */
  named(kind: NamedKind, name: string): Decision {
    const { slug, prefixed, tools, skillTools } = this.#scope;
    if (skillTools && slug === undefined && kind === "tools") {
      const item = SKILL_TOOLS.tools.byKey.get(name);
      if (item && !this.#subject.user.disabled && this.toolkit() !== null)
        return { kind: "here", source: SKILL_TOOLS, item };
    }
    if (tools === "search" && kind === "tools") {
      const item = SEARCH_SOURCE.tools.byKey.get(name);
      if (item && !this.#subject.user.disabled) return { kind: "here", source: SEARCH_SOURCE, item };
    }
    const command = kind === "prompts" ? this.command(name) : undefined;
    if (command) return { kind: "here", source: COMMANDS, item: command.item };
    if (slug === undefined) return this.#prefixed(kind, name);
    if (!prefixed) return this.#onServer(kind, slug, name);
    if (!name.startsWith(slug + SEPARATOR)) return UNKNOWN_SERVER;
    return this.#onServer(kind, slug, name.slice(slug.length + SEPARATOR.length));
  }

  /** A resource, or a URI that matches a template (D37). Pass `sources` if `sources()` was already called. */
  resource(uri: string, sources: readonly Source[] = this.sources()): ResourceDecision | undefined {
    if (uri.startsWith(SKILL_SCHEME) && this.skillFile(uri)) return { kind: "here", source: SKILLS, uri, listed: uri };
    const exposes = (source: Source, listed: string) => this.#exposes(source, listed);
    return this.#decisionOf(findResource(sources, uri, exposes, this.#scope.prefixed));
  }

  /** A resource or a template exactly as a list shows it. */
  listedResource(uri: string, sources: readonly Source[] = this.sources()): ResourceDecision | undefined {
    const exposes = (source: Source, listed: string) => this.#exposes(source, listed);
    return this.#decisionOf(findListed(sources, uri, exposes, this.#scope.prefixed));
  }

  #exposes(source: Source, uri: string): boolean {
    return source.kind === "own" || (this.exposure(source)?.hasResource(uri) ?? true);
  }

  #decisionOf(found: ReturnType<typeof findResource>): ResourceDecision | undefined {
    if (!found) return undefined;
    const { source, uri, listed } = found;
    if (source.kind === "own") return { kind: "here", source, uri, listed };
    const toolkit = this.exposure(source)?.toolkitOf("resources", listed);
    return { kind: "forward", server: source, uri, listed, ...(toolkit !== undefined && { toolkit }) };
  }

  /** GW-4: names are split at the first `__`. Slugs have no underscores, so two names never mean the same tool. */
  #prefixed(kind: NamedKind, name: string): Decision {
    const split = name.indexOf(SEPARATOR);
    if (split <= 0) return this.#own(kind, name) ?? MALFORMED;
    const decision = this.#onServer(kind, name.slice(0, split), name.slice(split + SEPARATOR.length));
    return decision === UNKNOWN_SERVER ? (this.#own(kind, name) ?? decision) : decision;
  }

  #onServer(kind: NamedKind, slug: string, name: string): Decision {
    if (name === "") return MALFORMED;
    const server = this.#serverBySlug(slug);
    if (!server) return UNKNOWN_SERVER;
    const reach = this.reach(server);
    if (!reach.reached) return { kind: "refused", reason: reach.reason, server };
    if (!server.upstream) return { kind: "refused", reason: "no-upstream", server };
    const exposure = this.exposure(server);
    const exposed = exposure && exposedItem(exposure, server, kind, name);
    const item = exposure ? exposed?.item : server[kind].byKey.get(name);
    if (!item) return { kind: "refused", reason: whyUnknown(server, kind, name, exposure), server };
    const grant =
      kind === "tools" && selectsTools(reach.through, server) ? this.reach(server, item.upstreamName) : reach;
    if (!grant.reached) return { kind: "refused", reason: grant.reason, server };
    const { toolkit, toolkitConflict } = exposed ?? {};
    return { kind: "forward", server, item, through: grant.through, toolkit, toolkitConflict };
  }

  #own(kind: NamedKind, name: string): AnswerHere | undefined {
    if (this.toolkit() !== undefined) return undefined;
    for (const source of this.#snapshot.ownSources) {
      const item = source[kind].byKey.get(name);
      if (item && this.reach(source).reached) return { kind: "here", source, item };
    }
    return undefined;
  }

  #serverBySlug(slug: string): ServerEntry | undefined {
    const serverId = this.#snapshot.serverIdBySlug.get(slug);
    return serverId === undefined ? undefined : this.#snapshot.serversById.get(serverId);
  }
}

function selectsTools(group: GroupEntry, source: Source): boolean {
  return source.kind === "server" && (group.selections?.has(source.id) ?? false);
}

/** Whether a group that has the source grants this tool, by the server's name of the tool (F9). */
export function grants(group: GroupEntry, source: Source, tool: string): boolean {
  const selection = source.kind === "server" ? group.selections?.get(source.id) : undefined;
  return !selection || selects(selection, tool);
}

/** Whether members of a group that has the source reach it. */
export function shows(group: GroupEntry, source: Source): boolean {
  return source.active || group.showDrafts;
}

/** For admins. Nothing is synced for a caller whose toolkit does not have the server. */
function whyUnknown(server: ServerEntry, kind: NamedKind, name: string, exposure: Exposure | undefined) {
  if (exposure && (exposure.isEmpty || server[kind].byKey.has(name))) return "not-in-toolkit";
  return server.synced ? "unknown-tool" : "not-synced";
}

type ExposedItem = Pick<Forward, "item" | "toolkit" | "toolkitConflict">;

/** The item as the toolkit exposes it. */
function exposedItem(exposure: Exposure, server: ServerEntry, kind: NamedKind, name: string): ExposedItem | undefined {
  if (kind === "tools") {
    const tool = exposure.tool(name);
    return tool && { item: callableItem(tool), toolkit: tool.toolkit, toolkitConflict: tool.conflict };
  }
  const item = server.prompts.byKey.get(name);
  if (!item || !exposure.hasPrompt(item.upstreamName)) return undefined;
  return { item, toolkit: exposure.toolkitOf("prompts", item.upstreamName) };
}
