/** An empty installation, started like an operator does. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export interface Gatehouse {
  /** The URL for this process, which may differ from the public URL. */
  readonly url: string;
  /** An API token with scope `all`. */
  readonly token: string;
  stop(): Promise<void>;
}

export interface Settings {
  readonly publicUrl?: string;
  /** The gateway URL is public too; otherwise it is a loopback URL. */
  readonly gatewayIsPublic?: boolean;
  /** The content of LOCAL_SERVERS_FILE. */
  readonly localServers?: object;
}

const BIN = fileURLToPath(new URL("../../dist/bin/gatehouse.mjs", import.meta.url));
const GREETING = /^ {2}Gateway {4}(\S+)\/mcp$/m;
const LISTENS = /^ {2}Listening {2}port (\d+) /m;

export async function startGatehouse(settings: Settings = {}): Promise<Gatehouse> {
  const { publicUrl, gatewayIsPublic, localServers } = settings;
  const dataDir = await mkdtemp(join(tmpdir(), "gatehouse-conformance-"));
  const localServersFile = join(dataDir, "local-servers.json");
  if (localServers) await writeFile(localServersFile, JSON.stringify(localServers));
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
      ...(publicUrl !== undefined && {
        BASE_URL: publicUrl,
        // The suite's servers listen on loopback, which is not allowed by default with a public URL.
        EGRESS_ALLOW: "127.0.0.0/8,::1",
        GATEWAY_URL: gatewayIsPublic ? publicUrl : "http://127.0.0.1:0",
      }),
      ...(localServers && { LOCAL_SERVERS_FILE: localServersFile }),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  process.once("exit", () => child.kill("SIGKILL"));
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
  });
  const greeting = gatewayIsPublic ? LISTENS : GREETING;
  while (!greeting.test(output)) {
    if (child.exitCode !== null) throw new Error(`the installation ended while starting: ${output}`);
    await sleep(20);
  }
  return {
    url: gatewayIsPublic ? `http://127.0.0.1:${LISTENS.exec(output)?.[1]}` : (GREETING.exec(output)?.[1] ?? ""),
    token,
    async stop() {
      child.kill("SIGTERM");
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Calls the administration API; throws if it fails. */
export function apiOf({ url, token }: Pick<Gatehouse, "url" | "token">) {
  return async (method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status} ${text}`);
    return JSON.parse(text);
  };
}

export type Api = ReturnType<typeof apiOf>;

export interface MachineUser {
  readonly email: string;
  /** The value of the Authorization header. */
  readonly authorization: string;
}

/** A machine user in a new group with this server. */
export async function createMachineUser(api: Api, name: string, slug: string): Promise<MachineUser> {
  const { data, credentials } = await api("POST", "/api/users", { is_machine_user: true, name });
  const group = (await api("POST", "/api/groups", { name })).data;
  await api("POST", `/api/groups/${group.name}/integrations`, { slugs: [slug] });
  await api("POST", `/api/groups/${group.name}/users`, { emails: [data.email] });
  return { email: data.email, authorization: `Bearer ${credentials.client_id}:${credentials.secret}` };
}
