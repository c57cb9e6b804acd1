import { decideAll, describeViolations } from "../decisions.ts";
import { EXIT, exitCodeOf, print, printable } from "../output.ts";
import { currentPolicy } from "../policy-cache.ts";
import { type ScanResult, scan } from "../scan.ts";
import type { Flags, Settings } from "../settings.ts";
import { StateFolder } from "../state.ts";

/** Prints what was found. Decides with the stored policy, if there is one. */
export async function runScan(settings: Settings, { json }: Flags): Promise<number> {
  const result = scan(settings);
  const now = Date.now();
  const current = await currentPolicy(new StateFolder(settings.stateDir), undefined, result.report.device.id, now);
  const items = current === undefined ? [] : decideAll(result, current.policy, now);
  if (json) {
    const skills = settings.includeContent ? result.skills.map(({ item }) => item) : result.report.skills;
    print(JSON.stringify({ ...result.report, skills }, null, 2));
  } else {
    print(summarize(result));
    for (const line of describeViolations(items)) print(line);
  }
  return items.length === 0 ? EXIT.clean : exitCodeOf(items.map(({ decision }) => decision));
}

export function summarize({ report }: ScanResult): string {
  const { mcp_servers, skills, agent_memory, agents, errors } = report;
  const servers = mcp_servers.map(({ name, client, transport, url, command, args = [], config_path }) =>
    printable(`  ${name} (${client}, ${transport}): ${url ?? [command, ...args].join(" ")} in ${config_path}`),
  );
  return [
    `MCP servers: ${mcp_servers.length}`,
    ...servers,
    `Skills: ${skills.length}`,
    ...skills.map(({ name, client, path }) => printable(`  ${name} (${client}): ${path}`)),
    `Agent memory: ${agent_memory.length} files`,
    `Agents: ${agents.length}`,
    ...(errors.length === 0 ? [] : [`Not read: ${errors.length} paths`]),
    ...errors.map(({ path, code }) => printable(`  ${path}: ${code}`)),
  ].join("\n");
}
