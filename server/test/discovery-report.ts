import { createHash, randomUUID } from "node:crypto";

/** Reports of devices for tests. */

export function reported(device: string, rest: Record<string, unknown> = {}) {
  return {
    schema_version: 1,
    report_id: randomUUID(),
    scanned_at: new Date().toISOString(),
    full: true,
    agent: { name: "gatehouse-scan", version: "1.0.0" },
    device: { id: device, hostname: `${device}.local`, os: "darwin", users: ["ada"] },
    user: { username: "ada", email: `${device}@example.com` },
    mcp_servers: [] as unknown[],
    skills: [] as unknown[],
    agent_memory: [] as unknown[],
    agents: [] as unknown[],
    errors: [] as unknown[],
    ...rest,
  };
}

export function remoteServer(name: string, url: string, rest: Record<string, unknown> = {}) {
  const place = { client: "cursor", scope: "user", config_path: "~/.cursor/mcp.json" };
  return {
    name,
    transport: "http",
    url,
    header_keys: ["Authorization"],
    env_keys: [],
    enabled: true,
    ...place,
    ...rest,
  };
}

export function localServer(name: string, args: readonly string[], rest: Record<string, unknown> = {}) {
  const place = { client: "claude-code", scope: "user", config_path: "~/.claude.json" };
  return { name, transport: "stdio", command: "npx", args, env_keys: ["TOKEN"], enabled: true, ...place, ...rest };
}

export function skill(name: string, rest: Record<string, unknown> = {}) {
  const digest = `sha256:${createHash("sha256").update(name).digest("hex")}`;
  const place = { client: "claude-code", path: `~/.claude/skills/${name}`, source: "user" };
  const content = { description: `About ${name}`, files_count: 2, size_bytes: 900, has_scripts: true, issues: [] };
  return { name, digest, ...content, ...place, ...rest };
}

export function memoryFile(path: string, rest: Record<string, unknown> = {}) {
  const sha256 = createHash("sha256").update(path).digest("hex");
  return {
    client: "claude-code",
    kind: "instructions",
    path,
    scope: "user",
    size_bytes: 10,
    sha256,
    issues: [],
    ...rest,
  };
}

export function agent(name: string, rest: Record<string, unknown> = {}) {
  return {
    client: "cursor",
    kind: "app",
    name,
    version: "1.9.2",
    path: `/Applications/${name}.app`,
    running: null,
    ...rest,
  };
}

/** A report with 30 items: most are popular, some exist on this device only. */
export function manyItems(device: number) {
  return {
    ...{ schema_version: 1, report_id: randomUUID(), scanned_at: new Date().toISOString(), full: true },
    device: { id: `device-${device}`, hostname: `host-${device}`, os: "darwin", users: ["ada"] },
    user: { username: "ada", email: `user-${device}@example.com` },
    mcp_servers: Array.from({ length: 12 }, (_, n) =>
      n < 8
        ? remoteServer(`remote-${n}`, `https://host-${(n * 7 + device) % 40}.example.com/mcp`)
        : localServer(`local-${n}`, ["-y", `@acme/server-${(n * 13 + device) % 60}`]),
    ),
    skills: Array.from({ length: 10 }, (_, n) => skill(`skill-${(n * 11 + device) % 200}`)),
    agent_memory: Array.from({ length: 4 }, (_, n) => memoryFile(`~/code/project-${device}-${n}/CLAUDE.md`)),
    agents: Array.from({ length: 4 }, (_, n) => agent(`Agent ${n}`)),
  };
}
