import { print } from "../output.ts";
import type { Flags, Settings } from "../settings.ts";
import {
  APP_FOLDERS,
  EXTENSION_FOLDERS,
  INSTALL_MARKS,
  PROGRAM_FOLDERS,
  PROJECT_SUBAGENTS,
  SUBAGENTS,
} from "../tables/agents.ts";
import { CONFIGS, PROJECT_CONFIGS } from "../tables/mcp-configs.ts";
import { MEMORY_FILES, PROJECT_MEMORY } from "../tables/memory.ts";
import { type PlatformPaths, pathsFor } from "../tables/roots.ts";
import { PROJECT_SKILL_FOLDERS, SKILL_FOLDERS } from "../tables/skills.ts";

interface PathRow {
  readonly kind: string;
  readonly client: string;
  readonly path: string;
}

const READABLE = {
  AS: "~/Library/Application Support",
  XC: "~/.config",
  AD: "%APPDATA%",
  LD: "%LOCALAPPDATA%",
  SYS: "",
  PD: "%ProgramData%",
  PF: "%ProgramFiles%",
};

export function printPaths({ platform }: Settings, { json }: Flags): number {
  const expand = (kind: string, client: string, paths: PlatformPaths) =>
    pathsFor(paths, platform).map((path) => ({ kind, client, path: readable(path) }));
  const inProject = (kind: string, client: string, path: string) => [{ kind, client, path: `<project>/${path}` }];
  const rows: PathRow[] = [
    ...CONFIGS.flatMap(({ client, paths }) => expand("mcp_servers", client, paths)),
    ...PROJECT_CONFIGS.flatMap(({ client, files }) => files.flatMap((file) => inProject("mcp_servers", client, file))),
    ...SKILL_FOLDERS.flatMap(({ client, paths }) => expand("skills", client, paths)),
    ...PROJECT_SKILL_FOLDERS.flatMap(([client, folder]) => inProject("skills", client, folder)),
    ...MEMORY_FILES.flatMap(({ client, paths }) => expand("agent_memory", client, paths)),
    ...PROJECT_MEMORY.flatMap(([client, , file]) => inProject("agent_memory", client, file)),
    ...INSTALL_MARKS.flatMap(({ client, paths }) => expand("agents", client, paths)),
    ...expand("agents", "programs", PROGRAM_FOLDERS),
    ...expand("agents", "apps", APP_FOLDERS),
    ...EXTENSION_FOLDERS.flatMap(([client, path]) => expand("agents", client, { all: [path] })),
    ...SUBAGENTS.flatMap(([client, path]) => expand("agents", client, { all: [path] })),
    ...PROJECT_SUBAGENTS.flatMap(([client, path]) => inProject("agents", client, path)),
  ];
  if (json) return print(JSON.stringify(rows, null, 2));
  return print(rows.map(({ kind, client, path }) => `${kind.padEnd(13)} ${client.padEnd(16)} ${path}`).join("\n"));
}

function readable(template: string): string {
  const [root = "", ...rest] = template.split("/");
  const folder = root in READABLE ? READABLE[root as keyof typeof READABLE] : root;
  return [folder, ...rest].join("/");
}
