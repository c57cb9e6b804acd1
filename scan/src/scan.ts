import { randomUUID } from "node:crypto";
import { redactText } from "#policy/redact";
import type { Report, ReportedAgent, ReportedEnforcement, ReportedError, ReportedMemory } from "#policy/types";
import { describeDevice } from "./device.ts";
import { scanAgents } from "./discover/agents.ts";
import { scanMemory } from "./discover/memory.ts";
import { Place } from "./discover/place.ts";
import { findProjects, type ListedProjects } from "./discover/project-roots.ts";
import { type FoundServer, ParsedFiles, scanServers } from "./discover/servers.ts";
import { type FoundSkill, scanSkills } from "./discover/skills.ts";
import type { QuarantinedItem } from "./enforce/quarantine.ts";
import { withQuarantined } from "./enforce/report-quarantine.ts";
import { asOwner, findHomes } from "./homes.ts";
import { type RememberedProjects, readProjects } from "./remembered-projects.ts";
import type { Settings } from "./settings.ts";
import { withoutTexts } from "./split-report.ts";
import { StateFolder } from "./state.ts";
import { VERSION } from "./version.ts";

export interface ScanResult {
  /** Without texts of skills. */
  readonly report: Report;
  readonly servers: readonly FoundServer[];
  readonly skills: readonly FoundSkill[];
  /** To be remembered for the next scan. */
  readonly projects: RememberedProjects;
}

interface Discovered {
  readonly servers: FoundServer[];
  readonly skills: FoundSkill[];
  readonly memory: ReportedMemory[];
  readonly agents: ReportedAgent[];
  readonly errors: ReportedError[];
  readonly projects: Record<string, ListedProjects>;
  /** False: something is missing in the report without an error for its path. */
  full: boolean;
}

/** What the report contains besides the result of the scan. */
export interface ReportedState {
  readonly enforcement?: readonly ReportedEnforcement[];
  readonly quarantined?: readonly QuarantinedItem[];
}

/** Reads all homes. Changes nothing and starts nothing. */
export function scan(settings: Settings, { enforcement = [], quarantined = [] }: ReportedState = {}): ScanResult {
  const { homes, errors } = findHomes(settings);
  const remembered = readProjects(new StateFolder(settings.stateDir));
  const found: Discovered = {
    ...{ servers: [], skills: [], memory: [], agents: [], errors: [...errors], projects: {} },
    full: true,
  };
  for (const [index, { path, username }] of homes.entries()) {
    const { platform, maxDepth, moved, projects } = settings;
    // System-wide files are read once, with the first home.
    const systemRoot = index === 0 ? settings.systemRoot : undefined;
    const place = new Place({ platform, home: path, username, systemRoot, maxDepth, moved });
    try {
      const given = { projects: index === 0 ? projects : [], remembered: remembered[path] ?? {} };
      asOwner(path, () => discover(place, given, settings.includeContent, found));
    } catch {
      // One home that cannot be read does not hide the others, and its items do not count as removed.
      found.full = false;
      found.errors.push(...place.errors, { path: place.display(path), code: "not_readable" });
    }
  }
  const users = homes.map(({ username }) => redactText(username));
  const report = withoutTexts({
    schema_version: 1,
    report_id: randomUUID(),
    scanned_at: new Date().toISOString(),
    full: found.full,
    agent: { name: "gatehouse-scan", version: VERSION },
    device: describeDevice(settings, users),
    user: { username: redactText(settings.username), email: settings.email },
    ...withQuarantined(found, quarantined),
    agent_memory: found.memory,
    agents: found.agents,
    errors: found.errors,
    ...(enforcement.length > 0 && { enforcement: enforcement.map(withoutSecrets) }),
  });
  return { report, servers: found.servers, skills: found.skills, projects: found.projects };
}

/** Results that an earlier version stored can quote a configuration file. */
function withoutSecrets(result: ReportedEnforcement): ReportedEnforcement {
  return result.reason === undefined ? result : { ...result, reason: redactText(result.reason) };
}

interface GivenProjects {
  readonly projects: readonly string[];
  readonly remembered: ListedProjects;
}

function discover(place: Place, given: GivenProjects, includeContent: boolean, found: Discovered): void {
  const parsed = new ParsedFiles(place);
  const { projects, listed, isComplete } = findProjects(place, parsed, given.projects, given.remembered);
  found.projects[place.home] = listed;
  found.servers.push(...scanServers(place, projects, parsed));
  found.skills.push(...scanSkills(place, projects, includeContent));
  found.memory.push(...scanMemory(place, projects));
  found.agents.push(...scanAgents(place, projects));
  found.errors.push(...place.errors);
  if (!isComplete || place.hasTooManyErrors) found.full = false;
}
