/** Real clients, from the gateway URL to a call, used as their documentation describes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { OAuthClientProvider as Provider1 } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Transport1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

export interface Journey {
  readonly url: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, string | number>>;
  /** A folder for the client's files. */
  readonly directory: string;
  agree(authorizationUrl: string | URL): Promise<URL>;
}

const INFO = { name: "gatehouse-conformance", version: "1.0.0" };
const REDIRECT = "http://127.0.0.1:33418/callback";

interface Kept {
  access_token: string;
  refresh_token?: string | undefined;
  token_type: string;
}

/** Stores a client's tokens and registration, for both generations of the SDK. */
export class Wallet {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = {
    client_name: "Conformance",
    redirect_uris: [REDIRECT],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  client: { client_id: string } | undefined;
  kept: Kept | undefined;
  /** The URL that the browser was sent to. */
  asked: URL | undefined;
  #verifier = "";
  #discovered: unknown;

  clientInformation = () => this.client;
  saveClientInformation = (client: { client_id: string }) => {
    this.client = client;
  };
  tokens = () => this.kept;
  saveTokens = (tokens: Kept) => {
    this.kept = tokens;
  };
  redirectToAuthorization = (url: URL) => {
    this.asked = url;
  };
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier;
  };
  codeVerifier = () => this.#verifier;
  saveDiscoveryState = (state: unknown) => {
    this.#discovered = state;
  };
  discoveryState = () => this.#discovered;
  invalidateCredentials = () => {
    this.kept = undefined;
  };
}

interface SdkTransport {
  finishAuth(code: string | URLSearchParams): Promise<void>;
}

interface SdkClient {
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

export interface SdkGeneration {
  readonly name: string;
  /** A client that uses this storage and is not connected yet. */
  start(wallet: Wallet, url: string): { client: SdkClient; transport: SdkTransport; connect(): Promise<void> };
}

export const SDKS: readonly SdkGeneration[] = [
  {
    name: "SDK 1",
    start(wallet, url) {
      const transport = new Transport1(new URL(url), { authProvider: wallet as Provider1 });
      const client = new Client1(INFO);
      return { client, transport: transport as SdkTransport, connect: () => client.connect(transport) };
    },
  },
  {
    name: "SDK 2",
    start(wallet, url) {
      const transport = new StreamableHTTPClientTransport(new URL(url), {
        authProvider: wallet as OAuthClientProvider,
      });
      const client = new Client(INFO, { versionNegotiation: { mode: "auto" } });
      return { client, transport, connect: () => client.connect(transport) };
    },
  },
];

/** For desktop clients that support only stdio: it opens a browser and waits for the callback. */
export async function journeyByMcpRemote({ url, tool, args, directory, agree }: Journey): Promise<unknown> {
  const client = new Client(INFO);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [programOf("mcp-remote"), url, "--allow-http", "--transport", "http-only"],
    env: { PATH: directory, HOME: directory, MCP_REMOTE_CONFIG_DIR: directory },
    stderr: "pipe",
  });
  let said = "";
  let sent = false;
  transport.stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
    const asked = /(http:\/\/127\.0\.0\.1:\d+\/oauth\/authorize\?\S+)/.exec(said)?.[1];
    if (asked === undefined || sent) return;
    sent = true;
    void agree(asked).then((back) => fetch(back));
  });
  try {
    await client.connect(transport);
    return await client.callTool({ name: tool, arguments: { ...args } });
  } catch (error) {
    throw new Error(`mcp-remote failed: ${said}`, { cause: error });
  } finally {
    await client.close();
  }
}

export async function journeyByInspector({ url, tool, args, directory, agree }: Journey): Promise<unknown> {
  const pairs = Object.entries(args).flatMap(([key, value]) => ["--tool-arg", `${key}=${value}`]);
  const call = ["--method", "tools/call", "--tool-name", tool, ...pairs, "--format", "json"];
  const callback = ["--callback-url", "http://127.0.0.1:0/oauth/callback"];
  const child = spawn(
    process.execPath,
    [programOf("mcp-inspector"), "--cli", url, "--transport", "http", ...callback, ...call],
    { env: { PATH: directory, HOME: directory, MCP_AUTO_OPEN_ENABLED: "true" }, stdio: ["ignore", "pipe", "pipe"] },
  );
  let said = "";
  let sent = false;
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    said += chunk;
    const asked = /(http:\/\/127\.0\.0\.1:\d+\/oauth\/authorize\?\S+)\s/.exec(said)?.[1];
    if (asked === undefined || sent) return;
    sent = true;
    void agree(asked).then((back) => fetch(back));
  });
  const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (child.exitCode !== 0) throw new Error(`the Inspector failed: ${said} ${output}`);
  return JSON.parse(output);
}

function programOf(name: string): string {
  return fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url));
}
