import { randomUUID } from "node:crypto";
import type { Report, ReportedSkill } from "#policy/types";

/** What the service accepts in one report. */
const MAX_REPORT_BYTES = 5 * 1024 * 1024;
const MAX_ITEMS = 5000;
const MAX_ERRORS = 2000;

export interface SplitReport {
  /** Everything that was found, with the texts that fit. */
  readonly report: Report;
  /** Partial reports with the other texts. */
  readonly texts: readonly Report[];
}

/** Texts of skills can be larger than a report. Equal skills have one text, and what does not fit follows separately. */
export function splitReport(report: Report): SplitReport {
  const bare = limitItems(withoutTexts(report));
  const waiting = new Map<string, ReportedSkill>();
  for (const skill of report.skills) {
    if (skill.content !== undefined && !waiting.has(skill.digest)) waiting.set(skill.digest, skill);
  }
  let free = MAX_REPORT_BYTES - bytesOf(bare);
  const skills = bare.skills.map((skill) => {
    const content = waiting.get(skill.digest)?.content;
    if (content === undefined) return skill;
    const added = bytesOf({ content });
    if (added > free) return skill;
    free -= added;
    waiting.delete(skill.digest);
    return { ...skill, content };
  });
  return { report: { ...bare, skills }, texts: textReports(bare, [...waiting.values()]) };
}

export function withoutTexts(report: Report): Report {
  return { ...report, skills: report.skills.map(({ content: _, ...skill }) => skill) };
}

export function hasTexts({ skills }: Report): boolean {
  return skills.some(({ content }) => content !== undefined);
}

/** Partial, so that the items of the first report do not count as removed. */
function textReports({ enforcement: _, ...bare }: Report, skills: readonly ReportedSkill[]): Report[] {
  const empty = { ...bare, full: false, mcp_servers: [], skills: [], agent_memory: [], agents: [] };
  const reports: Report[] = [];
  let group: ReportedSkill[] = [];
  let free = 0;
  for (const skill of skills) {
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
