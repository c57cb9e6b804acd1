/** Home folders with every client of the tables, and secrets in every place where one can be. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stringify as stringifyToml } from "smol-toml";
import { stringify as stringifyYaml } from "yaml";
import type { Platform } from "#policy/types";
import { APP_FOLDERS, EXTENSION_FOLDERS, INSTALL_MARKS, SUBAGENTS } from "../src/tables/agents.ts";
import { CONFIGS, type ConfigEntry, PROJECT_CONFIGS } from "../src/tables/mcp-configs.ts";
import { MEMORY_FILES, PROJECT_MEMORY } from "../src/tables/memory.ts";
import { pathsFor } from "../src/tables/roots.ts";
import { PROJECT_SKILL_FOLDERS, SKILL_FOLDERS } from "../src/tables/skills.ts";

export interface FakeHome {
  readonly root: string;
  readonly home: string;
  readonly systemRoot: string;
  readonly state: string;
}

/** All contain this word, in forms that detectors do and do not know. */
export const CANARY = "canary";
const SECRETS = {
  env: "canary-env-value",
  header: "Bearer canary-header-value",
  flag: "canary-flag-value",
  assigned: "canary-assigned-value",
  password: "canary-password",
  query: "canary-query",
  key: "sk-ant-api03-canaryAAAABBBBCCCCDDDD0123",
  random: "canary9f86d081884c7d659a2feaa0c55ad015",
};

export function emptyHome(): FakeHome {
  const root = mkdtempSync(join(tmpdir(), "gatehouse-scan-"));
  const home = join(root, "alice");
  mkdirSync(home);
  return { root, home, systemRoot: join(root, "system"), state: join(root, "state") };
}

export function write(path: string, content: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

/** The same servers in the form of each client. */
function serversFor(client: string): Record<string, unknown> {
  return {
    local: {
      command: "npx",
      args: [
        ...[
          "-y",
          "@acme/server",
          "--api-key",
          SECRETS.flag,
          `--token=${SECRETS.assigned}`,
          SECRETS.key,
          SECRETS.random,
        ],
        ...[
          `https://user:${SECRETS.password}@db.example.com/x?key=${SECRETS.query}`,
          "--header",
          `X-Custom: ${SECRETS.header}`,
        ],
      ],
      env: { API_TOKEN: SECRETS.env, PLAIN: SECRETS.env },
      comment: `ignored ${client}`,
    },
    remote: {
      url: `https://user:${SECRETS.password}@mcp.example.com/s/${SECRETS.random}/mcp?token=${SECRETS.query}#${SECRETS.query}`,
      headers: { Authorization: SECRETS.header },
    },
    off: { type: "sse", serverUrl: "https://sse.example.com/sse", disabled: true },
  };
}

/** What is special about some clients. */
function contentFor({ client, keys, single }: Pick<ConfigEntry, "client" | "keys" | "single">): unknown {
  const servers = serversFor(client);
  if (single) return { name: "bundle", server: { mcp_config: servers.local } };
  if (client === "continue" || client === "mistral-vibe") {
    const list = Object.entries(servers).map(([name, fields]) => ({ name, ...(fields as object) }));
    return nest(keys[0] ?? [], list);
  }
  if (client === "opencode") {
    const { local, remote } = servers as Record<string, Record<string, unknown>>;
    const command = ["npx", ...((local?.args ?? []) as string[])];
    return nest(keys[0] ?? [], {
      local: { type: "local", command, environment: local?.env },
      remote: { type: "remote", ...remote },
    });
  }
  if (client === "goose") {
    return nest(["extensions"], {
      developer: { type: "builtin", enabled: true, name: "developer" },
      local: { type: "stdio", cmd: "uvx", args: ["mcp-server-git"], envs: { API_TOKEN: SECRETS.env }, enabled: true },
      remote: {
        type: "streamable_http",
        uri: (servers.remote as { url: string }).url,
        headers: { Authorization: SECRETS.header },
      },
    });
  }
  if (client === "zed") {
    return nest(["context_servers"], {
      local: { command: { path: "npx", args: ["-y", "zed-mcp"], env: { API_TOKEN: SECRETS.env } } },
    });
  }
  return nest(keys[0] ?? [], servers);
}

function nest(keys: readonly string[], value: unknown): unknown {
  return keys.reduceRight<unknown>((inner, key) => ({ [key === "*" ? "/somewhere/else" : key]: inner }), value);
}

function render(format: string, content: unknown): string {
  if (format === "toml") return stringifyToml(content as Record<string, unknown>);
  if (format === "yaml") return stringifyYaml(content);
  return `// ${SECRETS.key}\n${JSON.stringify(content, null, 2)}\n`;
}

export function realPath({ home, systemRoot }: FakeHome, template: string): string {
  const [root = "", ...rest] = template.replaceAll("**", "deep/er").replaceAll("*", "one").split("/");
  const folders: Record<string, string> = {
    "~": home,
    AS: join(home, "Library/Application Support"),
    XC: join(home, ".config"),
    AD: join(home, "AppData/Roaming"),
    LD: join(home, "AppData/Local"),
    SYS: systemRoot,
    PD: join(systemRoot, "ProgramData"),
    PF: join(systemRoot, "Program Files"),
  };
  return join(folders[root] ?? "", ...rest);
}

/** A home folder with everything that the tables list for an operating system. */
export function fullHome(platform: Platform): FakeHome {
  const fake = emptyHome();
  const merged = new Map<string, { format: string; content: Record<string, unknown> }>();
  const add = (path: string, format: string, content: unknown) => {
    const known = merged.get(path)?.content ?? {};
    merged.set(path, { format, content: { ...known, ...(content as Record<string, unknown>) } });
  };
  for (const entry of CONFIGS) {
    for (const template of pathsFor(entry.paths, platform))
      add(realPath(fake, template), entry.format, contentFor(entry));
  }
  const project = join(fake.home, "code", "app");
  for (const entry of PROJECT_CONFIGS) {
    for (const file of entry.files) add(join(project, file), entry.format, contentFor(entry));
  }
  for (const [path, { format, content }] of merged) write(path, render(format, content));
  writeSkillsAndMemory(fake, platform, project);
  return fake;
}

function writeSkillsAndMemory(fake: FakeHome, platform: Platform, project: string): void {
  const skill = `---\nname: pdf\ndescription: Reads PDF files with ${SECRETS.key}\nallowed-tools: Bash\n---\n\nUse ${SECRETS.env}.\n`;
  const folders = [
    ...SKILL_FOLDERS.flatMap(({ paths }) => pathsFor(paths, platform)).map((template) => realPath(fake, template)),
    ...PROJECT_SKILL_FOLDERS.map(([, folder]) => join(project, folder)),
  ];
  for (const folder of folders) {
    write(join(folder, "pdf", "SKILL.md"), skill);
    write(join(folder, "pdf", "scripts", "run.sh"), `#!/bin/sh\nexport TOKEN=${SECRETS.env}\n`);
  }
  const memory = [
    ...MEMORY_FILES.flatMap(({ paths }) => pathsFor(paths, platform)).map((template) => realPath(fake, template)),
    ...PROJECT_MEMORY.map(([, , file]) => join(project, file.replace("*", "one"))).filter(
      (path) => !path.endsWith(".clinerules"),
    ),
  ];
  for (const path of memory) write(path, `The password is ${SECRETS.password}\n`);
  for (const { paths } of INSTALL_MARKS)
    for (const template of pathsFor(paths, platform)) mkdirSync(realPath(fake, template), { recursive: true });
  for (const [, folder] of EXTENSION_FOLDERS)
    mkdirSync(join(realPath(fake, folder.replace("*", "-oss")), "anthropic.claude-code-2.0.1"), { recursive: true });
  for (const [, files] of SUBAGENTS) write(realPath(fake, files), "---\nname: reviewer\n---\n");
  writeApps(fake, platform);
}

function writeApps(fake: FakeHome, platform: Platform): void {
  for (const template of pathsFor(APP_FOLDERS, platform)) {
    const folder = realPath(fake, template);
    if (platform === "darwin") {
      const plist = "<plist><dict><key>CFBundleShortVersionString</key>\n<string>1.9.2</string></dict></plist>";
      write(join(folder, "Cursor.app", "Contents", "Info.plist"), plist);
    } else if (platform === "linux") write(join(folder, "cursor.desktop"), "[Desktop Entry]\n");
    else write(join(folder, "cursor", "resources", "app", "package.json"), '{"version":"1.9.2"}');
  }
  write(join(fake.home, ".local/bin/claude"), "not started");
}
