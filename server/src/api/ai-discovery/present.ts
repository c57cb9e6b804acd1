import type { z } from "zod";
import { isoTime } from "#api/kit/answers";
import type { ApiContext } from "#api/kit/api-context";
import type { KnownFacts } from "#discovery/known-facts";
import { fold } from "#lib/fold";
import {
  clientsOfItems,
  deviceStatus,
  emailOf,
  findDevices,
  findItems,
  itemsWithText,
  riskReasons,
  riskScore,
  STALE_SCANS,
  seenWithDevice,
} from "#records/discovery";
import { readSettings } from "#records/settings";
import { findUsersByEmail } from "#records/users";
import type { MainDb } from "#storage/database";
import type { DiscoveryDeviceRow, DiscoveryInstanceRow, DiscoveryItemRow } from "#storage/discovery-tables";
import type {
  DiscoveredAgent,
  DiscoveredMcpServer,
  DiscoveredMemory,
  DiscoveredSkill,
  DiscoveryDevice,
  DiscoveryInstance,
} from "./schema.ts";

const MINUTE_MS = 60_000;

interface Around {
  readonly known: KnownFacts;
  readonly clients: ReadonlyMap<string, readonly string[]>;
  /** Skills whose text is stored. */
  readonly texts: ReadonlySet<string>;
}

/** What is shown with items besides their rows. */
export async function readAround(
  db: MainDb,
  context: Pick<ApiContext, "discovery">,
  rows: readonly DiscoveryItemRow[],
): Promise<Around> {
  const ids = rows.map(({ id }) => id);
  const skills = rows.filter(({ kind }) => kind === "skill").map(({ id }) => id);
  return {
    known: await context.discovery.known(db, rows),
    clients: await clientsOfItems(db, ids),
    texts: skills.length === 0 ? new Set() : await itemsWithText(db, skills),
  };
}

function baseOf(row: DiscoveryItemRow, { clients }: Around) {
  return {
    name: row.name,
    first_seen: isoTime(row.first_seen),
    last_seen: isoTime(row.last_seen),
    devices_count: row.devices_count,
    users_count: row.users_count,
    clients: [...(clients.get(row.id) ?? [])],
    risk: { score: row.risk_score, reasons: row.risk_reasons },
    review_status: row.review_status,
    note: row.note,
    reviewed_by: row.reviewed_by,
    reviewed_at: row.reviewed_at === null ? null : isoTime(row.reviewed_at),
  };
}

function decidedOf({ managed, action, rule_id }: DiscoveryItemRow) {
  return { managed, action, rule_id };
}

export function presentServer(row: DiscoveryItemRow, around: Around): z.input<typeof DiscoveredMcpServer> {
  return {
    fingerprint: row.key,
    transport: row.transport,
    url: textOr(row.facts.url, null),
    package: textOr(row.facts.package, null),
    other_packages: otherPackages(row),
    command: textOr(row.facts.command, null),
    ...decidedOf(row),
    mcp_server_slug: around.known.slugOf(row.endpoint_key) ?? null,
    registry_id: around.known.registryIdOf(row.endpoint_key) ?? null,
    ...baseOf(row, around),
  };
}

function otherPackages({ facts: { also } }: DiscoveryItemRow): string[] {
  const parts: readonly { package?: unknown }[] = Array.isArray(also) ? also : [];
  return parts.flatMap(({ package: name }) => (typeof name === "string" ? [name] : []));
}

export function presentSkill(row: DiscoveryItemRow, around: Around): z.input<typeof DiscoveredSkill> {
  const { facts } = row;
  return {
    digest: row.key,
    description: textOr(facts.description, ""),
    files_count: numberOrNull(facts.files_count),
    size_bytes: numberOrNull(facts.size_bytes),
    has_scripts: facts.has_scripts === true,
    allowed_tools: textOr(facts.allowed_tools, null),
    issues: textsOf(facts.issues),
    has_text: around.texts.has(row.id),
    ...decidedOf(row),
    ...baseOf(row, around),
  };
}

export function presentMemory(row: DiscoveryItemRow, around: Around): z.input<typeof DiscoveredMemory> {
  const { path, memory_kind: kind } = row.facts;
  return { id: row.key, path: textOr(path, ""), kind: textOr(kind, ""), ...baseOf(row, around) };
}

export function presentAgent(row: DiscoveryItemRow, around: Around): z.input<typeof DiscoveredAgent> {
  return { id: row.key, kind: textOr(row.facts.agent_kind, ""), ...baseOf(row, around) };
}

export async function presentInstances(
  db: MainDb,
  rows: readonly DiscoveryInstanceRow[],
): Promise<z.input<typeof DiscoveryInstance>[]> {
  const devices = await findDevices(db, [...new Set(rows.map(({ device_id }) => device_id))]);
  const items = await findItems(db, [...new Set(rows.map(({ item_id }) => item_id))]);
  return rows.map((row) => {
    const device = devices.get(row.device_id);
    return {
      ...{ id: row.id, kind: row.kind, key: items.get(row.item_id)?.key ?? "", device_id: row.device_id },
      ...{ hostname: device?.hostname ?? null, user_email: device ? emailOf(device) : null, username: row.username },
      ...{ client: row.client, name: row.name, path: row.path, scope: row.scope },
      config_path: row.kind === "mcp_server" ? row.path : null,
      ...{ action: row.action, rule_id: row.rule_id },
      risk: { score: riskScore(row.risk), reasons: riskReasons(row.risk) },
      first_seen: isoTime(row.first_seen),
      last_seen: isoTime(device && seenWithDevice(row, device) ? device.last_seen : row.last_seen),
      removed_at: row.removed_at === null ? null : isoTime(row.removed_at),
      // Written from a checked report, with fields of the declared types only.
      ...(row.details as object),
    };
  });
}

export async function staleBefore(db: MainDb, now: number): Promise<number> {
  const { discovery_scan_minutes: minutes } = await readSettings(db);
  return now - STALE_SCANS * minutes * MINUTE_MS;
}

export async function presentDevices(
  db: MainDb,
  rows: readonly DiscoveryDeviceRow[],
  stale: number,
): Promise<z.input<typeof DiscoveryDevice>[]> {
  const emails = [...new Set(rows.flatMap((row) => emailOf(row) ?? []))];
  const users = new Set((await findUsersByEmail(db, emails)).map(({ email_key: key }) => key));
  return rows.map((row) => {
    const email = emailOf(row);
    return {
      ...{ id: row.id, hostname: row.hostname, os: row.os, os_version: row.os_version, arch: row.arch },
      ...{ is_wsl: row.is_wsl, is_container: row.is_container, usernames: row.usernames, username: row.username },
      ...{ user_email: email, user_known: email !== null && users.has(fold(email)) },
      ...{ agent_version: row.agent_version, status: deviceStatus(row, stale) },
      counts: { mcp_servers: 0, skills: 0, agent_memory: 0, agents: 0, ...row.counts },
      ...{ warnings: row.warnings, scan_errors: row.scan_errors, reported_with: row.token_name },
      ...{ first_seen: isoTime(row.first_seen), last_seen: isoTime(row.last_seen) },
    };
  });
}

function textOr<Fallback>(value: unknown, fallback: Fallback): string | Fallback {
  return typeof value === "string" ? value : fallback;
}

function numberOrNull(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
