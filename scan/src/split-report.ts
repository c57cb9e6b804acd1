import { randomUUID } from "node:crypto";
import type { Report, ReportedSkill } from "#policy/types";

/** What the service accepts in one report. */
const MAX_REPORT_BYTES = 5 * 1024 * 1024;
const MAX_ITEMS = 5000;
const MAX_ERRORS = 2000;

/** What the service accepts of a report: without texts, and not too much. */
export function withoutTexts(report: Report): Report {
  return limitItems({ ...report, skills: report.skills.map(({ content: _, ...skill }) => skill) });
}

/**
 * Reports with the texts of skills that the service wants, each text once. They are partial, so that the items of the first
 * report do not count as removed.
 */
export function textReports(
  { enforcement: _, ...report }: Report,
  found: readonly ReportedSkill[],
  wanted: ReadonlySet<string>,
): Report[] {
  const skills = new Map<string, ReportedSkill>();
  for (const skill of found) {
    if (skill.content !== undefined && wanted.has(skill.digest)) skills.set(skill.digest, skill);
  }
  const empty = { ...report, full: false, mcp_servers: [], skills: [], agent_memory: [], agents: [] };
  const reports: Report[] = [];
  let group: ReportedSkill[] = [];
  let free = 0;
  for (const skill of skills.values()) {
    const added = bytesOf(skill) + 1;
    if (added > free || group.length === 0) {
      group = [];
      reports.push({ ...empty, report_id: randomUUID(), skills: group });
      free = MAX_REPORT_BYTES - bytesOf(empty);
    }
    group.push(skill);
    free -= added;
  }
  return reports;
}

/** A report with too many items is cut and marked as partial, so that missing items do not count as removed. */
function limitItems(report: Report): Report {
  let limit = MAX_ITEMS;
  let cut = report;
  const longest = Math.max(
    report.mcp_servers.length,
    report.skills.length,
    report.agent_memory.length,
    report.agents.length,
  );
  if (longest > limit || report.errors.length > MAX_ERRORS) cut = cutTo(report, limit);
  while (bytesOf(cut) > MAX_REPORT_BYTES && limit > 1) {
    limit = Math.floor(limit / 2);
    cut = cutTo(report, limit);
  }
  return cut;
}

function cutTo(report: Report, limit: number): Report {
  return {
    ...report,
    full: false,
    mcp_servers: report.mcp_servers.slice(0, limit),
    skills: report.skills.slice(0, limit),
    agent_memory: report.agent_memory.slice(0, limit),
    agents: report.agents.slice(0, limit),
    errors: [...report.errors.slice(0, Math.min(limit, MAX_ERRORS) - 1), { path: "~", code: "too_many_entries" }],
  };
}

function bytesOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}
