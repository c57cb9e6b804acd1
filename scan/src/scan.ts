import { randomUUID } from "node:crypto";
import { redactText } from "#policy/redact";
import type { Report, ReportedAgent, ReportedEnforcement, ReportedError, ReportedMemory } from "#policy/types";
import { describeDevice } from "./device.ts";
import { scanAgents } from "./discover/agents.ts";
import { scanMemory } from "./discover/memory.ts";
import { Place } from "./discover/place.ts";
import { findProjects } from "./discover/project-roots.ts";
import { type FoundServer, scanServers } from "./discover/servers.ts";
import { type FoundSkill, scanSkills } from "./discover/skills.ts";
import { asOwner, findHomes } from "./homes.ts";
import type { Settings } from "./settings.ts";
import { withoutTexts } from "./split-report.ts";
import { VERSION } from "./version.ts";

export interface ScanResult {
  /** Without texts of skills. */
  readonly report: Report;
  readonly servers: readonly FoundServer[];
  readonly skills: readonly FoundSkill[];
}

interface Discovered {
  readonly servers: FoundServer[];
  readonly skills: FoundSkill[];
  readonly memory: ReportedMemory[];
  readonly agents: ReportedAgent[];
  readonly errors: ReportedError[];
}

/** Reads all homes. Changes nothing and starts nothing. */
export function scan(settings: Settings, enforcement: readonly ReportedEnforcement[] = []): ScanResult {
  const homes = findHomes(settings);
  const found: Discovered = { servers: [], skills: [], memory: [], agents: [], errors: [] };
  let full = true;
  for (const [index, { path, username }] of homes.entries()) {
    const { platform, maxDepth, moved, projects } = settings;
    // System-wide files are read once, with the first home.
    const systemRoot = index === 0 ? settings.systemRoot : undefined;
    const place = new Place({ platform, home: path, username, systemRoot, maxDepth, moved });
    try {
      asOwner(path, () => discover(place, index === 0 ? projects : [], settings.includeContent, found));
    } catch {
      // One home that cannot be read does not hide the others, and its items do not count as removed.
      full = false;
      found.errors.push(...place.errors, { path: place.display(path), code: "not_readable" });
    }
  }
  const users = homes.map(({ username }) => redactText(username));
  const report = withoutTexts({
    schema_version: 1,
    report_id: randomUUID(),
    scanned_at: new Date().toISOString(),
    full,
    agent: { name: "gatehouse-scan", version: VERSION },
    device: describeDevice(settings, users),
    user: { username: redactText(settings.username), email: settings.email },
    mcp_servers: found.servers.map(({ item }) => item),
    skills: found.skills.map(({ item }) => item),
    agent_memory: found.memory,
    agents: found.agents,
    errors: found.errors,
    ...(enforcement.length > 0 && { enforcement: enforcement.map(withoutSecrets) }),
  });
  return { report, servers: found.servers, skills: found.skills };
}

/** A reason can be the message of a parser, which quotes the file. */
function withoutSecrets(result: ReportedEnforcement): ReportedEnforcement {
  return result.reason === undefined ? result : { ...result, reason: redactText(result.reason) };
}

function discover(place: Place, given: readonly string[], includeContent: boolean, found: Discovered): void {
  const projects = findProjects(place, given);
  found.servers.push(...scanServers(place, projects));
  found.skills.push(...scanSkills(place, projects, includeContent));
  found.memory.push(...scanMemory(place, projects));
  found.agents.push(...scanAgents(place, projects));
  found.errors.push(...place.errors);
}
