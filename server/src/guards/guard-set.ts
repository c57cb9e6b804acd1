import type { Clock } from "#lib/clock";
import { type CompiledGuard, type CompiledSet, compileSet } from "./compile.ts";
import type { Direction, EntityType, GuardDefinition } from "./definition.ts";
import { matchesGlob } from "./glob.ts";

/** Who calls what. Identifies servers, users and groups like the scopes of the guards do: in compiled guards, by id. */
export interface CallSubject {
  readonly server: string;
  /** The gateway name of the tool or prompt; undefined for resources. */
  readonly tool: string | undefined;
  /** Its gateway name without the toolkit that renames it. Otherwise a toolkit could evade guards for that name. */
  readonly renamedFrom?: string | undefined;
  readonly user: string;
  /** The caller's groups. */
  readonly groups: readonly string[];
}

export type CoveredTool = Pick<CallSubject, "server" | "tool" | "renamedFrom">;

/** The guards that apply to one payload, in order. */
export interface GuardSelection {
  readonly set: GuardSet;
  readonly guards: readonly CompiledGuard[];
}

/** Remembered pairs of server and tool. Names of tools come from callers, so their number is bounded. */
const MAX_REMEMBERED = 10_000;
const NONE: readonly CompiledGuard[] = [];
/** By the gateway name of the tool; undefined for resources. */
type ToolMemory = Map<string | undefined, readonly CompiledGuard[]>;

/**
 * The enabled guards of an installation, compiled. Immutable, except for its memory of which guards cover which tool:
 * because of it, a call that no guard covers costs one lookup.
 */
export class GuardSet {
  readonly definitions: readonly GuardDefinition[];
  /** Without runtime guards, the gateway can skip its check altogether. */
  readonly hasRuntimeGuards: boolean;
  readonly #compiled: CompiledSet;
  #remembered = 0;
  readonly #byTool = {
    request: new Map<string, ToolMemory>(),
    response: new Map<string, ToolMemory>(),
  };
  readonly #lists = new Map<string, readonly CompiledGuard[]>();

  constructor(definitions: readonly GuardDefinition[], clock: Clock) {
    this.definitions = definitions;
    this.hasRuntimeGuards = definitions.some(({ type }) => type === "runtime");
    this.#compiled = compileSet(definitions, clock);
  }

  get compiled(): CompiledSet {
    return this.#compiled;
  }

  /** The runtime guards for a payload of a call; undefined if none covers it. */
  select(subject: CallSubject, direction: Direction): GuardSelection | undefined {
    const covering = this.covering(subject, direction);
    if (covering.length === 0) return undefined;
    const guards = covering.every(isForEveryone) ? covering : this.#forCaller(covering, subject);
    return guards.length === 0 ? undefined : { set: this, guards };
  }

  /** The runtime guards for payloads of a caller, whatever server and tool they are for. */
  selectForCaller({ user, groups }: Pick<CallSubject, "user" | "groups">, direction: Direction) {
    const guards = this.#compiled.guards.filter(
      (guard) => sees(guard.definition, direction) && isFor(guard, user, groups),
    );
    return guards.length === 0 ? undefined : { set: this, guards };
  }

  /** The runtime guards that redact payloads of a caller in either direction, whatever server and tool they are for. */
  selectRedacting({ user, groups }: Pick<CallSubject, "user" | "groups">): GuardSelection | undefined {
    const guards = this.#compiled.guards.filter((guard) => {
      const { type, action } = guard.definition;
      return type === "runtime" && action === "redact" && isFor(guard, user, groups);
    });
    return guards.length === 0 ? undefined : { set: this, guards };
  }

  /** The same guards are always the same list, because the engine prepares each list once. */
  #forCaller(covering: readonly CompiledGuard[], subject: CallSubject): readonly CompiledGuard[] {
    const guards = covering.filter((guard) => isFor(guard, subject.user, subject.groups));
    const key = guards.map(({ index }) => index).join();
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    if (this.#lists.size >= MAX_REMEMBERED) this.#lists.clear();
    this.#lists.set(key, guards);
    return guards;
  }

  /** The build-time guards for content of this type; undefined if there are none. */
  selectBuildtime(entityType: EntityType): GuardSelection | undefined {
    const guards = this.#compiled.guards.filter(
      ({ definition }) => definition.type === "buildtime" && definition.entity_types.includes(entityType),
    );
    return guards.length === 0 ? undefined : { set: this, guards };
  }

  /** One guard, regardless of its scope. */
  selectOne(slug: string): GuardSelection | undefined {
    const guards = this.#compiled.guards.filter(({ definition }) => definition.slug === slug);
    return guards.length === 0 ? undefined : { set: this, guards };
  }

  /** The runtime guards whose scope contains the server and the tool, for some callers or all. */
  covering(target: CoveredTool, direction: Direction): readonly CompiledGuard[] {
    const { server, tool, renamedFrom } = target;
    const key = renamedFrom === undefined ? tool : `${tool} ${renamedFrom}`;
    // A renamed server leaves its gateway names to another one, so names are remembered per server.
    const known = this.#byTool[direction].get(server)?.get(key);
    if (known !== undefined) return known;
    const found = this.#compiled.guards.filter(({ definition }) => covers(definition, target, direction));
    this.#remember(server, key, direction, found.length === 0 ? NONE : found);
    return found;
  }

  #remember(server: string, tool: string | undefined, direction: Direction, found: readonly CompiledGuard[]): void {
    const byServer = this.#byTool[direction];
    if (this.#remembered++ >= MAX_REMEMBERED) {
      this.#byTool.request.clear();
      this.#byTool.response.clear();
      this.#remembered = 1;
    }
    const memory = byServer.get(server);
    if (memory === undefined) byServer.set(server, new Map([[tool, found]]));
    else memory.set(tool, found);
  }
}

function sees({ type, direction: wanted, action }: GuardDefinition, direction: Direction): boolean {
  if (type !== "runtime" || (wanted !== "both" && wanted !== direction)) return false;
  return action !== "require_approval" || direction === "request";
}

function covers(
  definition: GuardDefinition,
  { server, tool, renamedFrom }: CoveredTool,
  direction: Direction,
): boolean {
  if (!sees(definition, direction)) return false;
  const { scope } = definition;
  if (scope.exclude_servers.includes(server)) return false;
  if (scope.servers.length > 0 && !scope.servers.includes(server)) return false;
  if (scope.tools.length === 0) return true;
  const names = [tool, renamedFrom].filter((name) => name !== undefined);
  return scope.tools.some((glob) => names.some((name) => matchesGlob(glob, name)));
}

/** Whether it covers the calls of all users. */
export function isForEveryone({ definition: { scope } }: CompiledGuard): boolean {
  return scope.groups.length === 0 && scope.users.length === 0;
}

/** Whether it covers the calls of this user. */
export function isFor({ definition: { scope } }: CompiledGuard, user: string, groups: readonly string[]): boolean {
  if (scope.users.length > 0 && !scope.users.includes(user)) return false;
  return scope.groups.length === 0 || scope.groups.some((group) => groups.includes(group));
}
