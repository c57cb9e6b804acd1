/** A Gatehouse as an operator starts it, with one MCP server in it and one machine user who may use it. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export interface Installation {
  readonly gatewayUrl: string;
  readonly slug: string;
  /** The value of the Authorization header. */
  readonly authorization: string;
  stop(): Promise<void>;
}

/** Where the one MCP server is found: at an address, or as a program that the installation starts itself. */
export type Source =
  | { readonly type: "http" | "sse"; readonly url: string }
  | { readonly command: string; readonly args: readonly string[] };

const LOCAL_NAME = "suite";
const BIN = fileURLToPath(new URL("../../bin/gatehouse.mjs", import.meta.url));
const GREETING = /^Gatehouse serves (\S+)$/m;

export async function startInstallation(source: Source): Promise<Installation> {
  const dataDir = await mkdtemp(join(tmpdir(), "gatehouse-conformance-"));
  const localServers = join(dataDir, "local-servers.json");
  const isLocal = "command" in source;
  if (isLocal) await writeFile(localServers, JSON.stringify({ mcpServers: { [LOCAL_NAME]: source } }));
  const token = randomBytes(24).toString("hex");
  const child = spawn(process.execPath, [BIN, "serve"], {
    env: {
      PATH: process.env.PATH,
      PORT: "0",
      DATA_DIR: dataDir,
      LOG_LEVEL: "error",
      DRAIN_SECONDS: "0",
      REGISTRY_SYNC: "off",
      GATEHOUSE_BOOTSTRAP_TOKEN: token,
      ...(isLocal && { LOCAL_SERVERS_FILE: localServers }),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  process.once("exit", () => child.kill("SIGKILL"));
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
  });
  while (!GREETING.test(output)) {
    if (child.exitCode !== null) throw new Error(`the installation ended while starting: ${output}`);
    await sleep(20);
  }
  const url = GREETING.exec(output)?.[1] ?? "";
  return {
    gatewayUrl: `${url}/mcp`,
    ...(await furnish(url, token, source)),
    async stop() {
      child.kill("SIGTERM");
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function furnish(url: string, token: string, source: Source) {
  const post = async (path: string, body: object = {}) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status} ${text}`);
    return JSON.parse(text);
  };
  const make = async () => (await post("/api/mcp-servers", { name: "Suite", mcp_proxy: JSON.stringify(source) })).data;
  const slug = "command" in source ? LOCAL_NAME : (await make()).slug;
  const synced = (await post(`/api/mcp-servers/${slug}/sync`)).data;
  if (synced.sync_error !== null) throw new Error(`the upstream was not read: ${synced.sync_error}`);
  const { data, credentials } = await post("/api/users", { is_machine_user: true, name: "Suite" });
  await post("/api/groups", { name: "suite" });
  await post("/api/groups/suite/integrations", { slugs: [slug] });
  await post("/api/groups/suite/users", { emails: [data.email] });
  return { slug: String(slug), authorization: `Bearer ${credentials.client_id}:${credentials.secret}` };
}
