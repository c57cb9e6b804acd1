import { redactStrings, redactText, shortenHome } from "#policy/redact";
import { DISCOVERY_KINDS, type DiscoveryKind } from "#storage/discovery-tables";
import { isStorable, PATH_LENGTH } from "./item-schemas.ts";
import { CAN_CONTAIN_HOME, type KnownItems } from "./known-items.ts";
import { ItemNormalizer } from "./normalize-items.ts";
import { type CheckedReport, type EnforcementResult, type FoundItem, LISTS, type Rejection } from "./report.ts";
import { scanTimeOf } from "./scan-time.ts";

const ITEMS_PER_TURN = 25;
/** More than any person has; a device that reports more is broken or hostile. */
export const MOST_ITEMS = 5_000;

const MOST_UNKNOWN_PATHS = 200;

type Fields = Readonly<Record<string, unknown>>;

export interface GivenReport {
  readonly report_id: string;
  readonly scanned_at: string;
  readonly age_seconds?: number | null | undefined;
  readonly full: boolean;
  readonly agent?:
    | { readonly name?: string | null | undefined; readonly version?: string | null | undefined }
    | null
    | undefined;
  readonly device: {
    readonly id: string;
    readonly hostname?: string | null | undefined;
    readonly os: string;
    readonly os_version?: string | null | undefined;
    readonly arch?: string | null | undefined;
    readonly serial_hash?: string | null | undefined;
    readonly is_wsl?: boolean | null | undefined;
    readonly is_container?: boolean | null | undefined;
    readonly users?: readonly string[] | null | undefined;
  };
  readonly user?:
    | { readonly username?: string | null | undefined; readonly email?: string | null | undefined }
    | null
    | undefined;
  readonly mcp_servers: readonly unknown[];
  readonly skills: readonly unknown[];
  readonly agent_memory: readonly unknown[];
  readonly agents: readonly unknown[];
  readonly errors: readonly { readonly path: string; readonly code: string }[];
  readonly enforcement: readonly {
    readonly fingerprint?: string | undefined;
    readonly digest?: string | undefined;
    readonly client?: string | undefined;
    readonly result: EnforcementResult["result"];
    readonly reason?: string | undefined;
  }[];
}

/** The report with every text redacted that describes it and its device. Items are redacted when they are read. */
export function redactReport(given: GivenReport): GivenReport {
  const { mcp_servers, skills, agent_memory, agents, ...described } = given;
  return { ...redactStrings(described), mcp_servers, skills, agent_memory, agents };
}

/** Checks every item of a report, in turns. Items with errors are listed, and the others count. */
export async function checkReport(
  given: GivenReport,
  known: KnownItems,
  nextTurn: () => Promise<void>,
): Promise<CheckedReport> {
  const usernames = [...(given.device.users ?? []), ...(given.user?.username ? [given.user.username] : [])];
  const homes = usernames.flatMap((name) => [`/Users/${name}`, `/home/${name}`, `C:\\Users\\${name}`]);
  const { unknown, isPartial, ...checked } = await checkItems(given, new ItemNormalizer(usernames, known), nextTurn);
  const errors = [...given.errors, ...unknown];
  return {
    ...{ reportId: given.report_id, ...scanTimeOf(given) },
    full: given.full && !isPartial,
    agent: { name: given.agent?.name ?? null, version: given.agent?.version ?? null },
    device: deviceOf(given),
    username: given.user?.username || null,
    email: given.user?.email || null,
    ...checked,
    errors: errors.map(({ path, code }) => ({
      path: redactText(shortenHome(path, CAN_CONTAIN_HOME.test(path) ? homes : [])),
      code,
    })),
    enforcement: given.enforcement.flatMap(({ fingerprint, digest, client, result, reason }) => {
      const key = fingerprint ?? digest;
      return key === undefined ? [] : [{ key, client, result, reason }];
    }),
  };
}

async function checkItems(given: GivenReport, normalizer: ItemNormalizer, nextTurn: () => Promise<void>) {
  const items: FoundItem[] = [];
  const rejected: Rejection[] = [];
  const unknown = new UnknownPaths();
  const accepted = { mcp_servers: 0, skills: 0, agent_memory: 0, agents: 0 };
  const entries = DISCOVERY_KINDS.flatMap((kind) =>
    listOf(given, kind).map((entry, index) => ({ kind, entry, index })),
  );
  for (const [examined, { kind, entry, index }] of entries.entries()) {
    if (examined % ITEMS_PER_TURN === ITEMS_PER_TURN - 1) await nextTurn();
    const isFull = items.length >= MOST_ITEMS;
    const surplus = { path: `${LISTS[kind]}.${index}`, reason: `a report can contain at most ${MOST_ITEMS} items` };
    const result = isFull ? surplus : normalizer.normalize(kind, entry, index);
    if ("reason" in result) {
      rejected.push(result);
      unknown.add(isFull ? undefined : pathOf(entry));
    } else {
      items.push(result);
      accepted[LISTS[kind]]++;
    }
  }
  return { items, accepted, rejected, unknown: unknown.errors(), isPartial: unknown.isPartial };
}

/** Where entries are that were not accepted. What was found there before is unknown, not removed. */
class UnknownPaths {
  readonly #paths = new Set<string>();
  /** Some paths are not known, so anything can be missing. */
  isPartial = false;

  add(path: string | undefined): void {
    if (path !== undefined && this.#paths.size < MOST_UNKNOWN_PATHS) this.#paths.add(path);
    else this.isPartial ||= path === undefined || !this.#paths.has(path);
  }

  /** Shown with what the device could not read. */
  errors(): GivenReport["errors"] {
    const rejected = [...this.#paths].map((path) => ({ path, code: "rejected" }));
    return this.isPartial ? [...rejected, { path: "~", code: "too_many_entries" }] : rejected;
  }
}

function pathOf(entry: unknown): string | undefined {
  const { config_path: config, path = config } = typeof entry === "object" && entry !== null ? (entry as Fields) : {};
  return typeof path === "string" && path.length <= PATH_LENGTH && isStorable(path) ? path : undefined;
}

function listOf(given: GivenReport, kind: DiscoveryKind): readonly unknown[] {
  return given[LISTS[kind]];
}

function deviceOf({ device }: GivenReport): CheckedReport["device"] {
  return {
    id: device.id,
    hostname: device.hostname || device.id,
    os: device.os,
    osVersion: device.os_version ?? null,
    arch: device.arch ?? null,
    serialHash: device.serial_hash || null,
    isWsl: device.is_wsl ?? false,
    isContainer: device.is_container ?? false,
    users: [...new Set(device.users ?? [])],
  };
}
