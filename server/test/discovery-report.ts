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
