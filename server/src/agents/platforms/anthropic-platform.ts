/** Claude Managed Agents: agents and sessions of the Anthropic API. Tried only against a local stub of the API. */
import type { EgressFetch } from "#egress/egress";
import { isObject } from "#lib/is-object";
import { openPlatformSecrets } from "#records/agents";
import type { AgentRow, AgentSessionRow } from "#storage/agent-tables";
import type { Vault } from "#storage/vault";
import {
  type AgentDefinition,
  type DefinitionPlatform,
  PlatformFailure,
  type RemoteAgent,
  type RemoteSession,
  type SessionToStart,
  type Started,
} from "./platform.ts";
import { askPlatform, type PlatformAnswer } from "./platform-http.ts";
import { readEvents } from "./session-events.ts";

const DEFAULT_URL = "https://api.anthropic.com";
const GATEWAY = "gateway";
const PAGE = 100;
const MAX_PAGES = 10;

export interface AnthropicNeeds {
  readonly fetch: EgressFetch;
  readonly vault: Vault;
}

/** What a request needs of an agent. */
export type AnthropicAccount = Pick<AgentRow, "id" | "platform_config" | "sealed_platform">;

type Json = Readonly<Record<string, unknown>>;

export class AnthropicPlatform implements DefinitionPlatform {
  readonly #needs: AnthropicNeeds;

  constructor(needs: AnthropicNeeds) {
    this.#needs = needs;
  }

  /** An agent that exists there becomes a new version. */
  async push(agent: AgentRow, definition: AgentDefinition, signal: AbortSignal): Promise<RemoteAgent> {
    const existing = await this.pull(agent, signal);
    const body = { ...definitionBody(definition), ...(existing && { version: Number(existing.version) }) };
    const path = existing ? `/v1/agents/${existing.id}` : "/v1/agents";
    return remoteAgent((await this.#ask(agent, "POST", path, signal, body)).body);
  }

  async pull(agent: AgentRow, signal: AbortSignal): Promise<RemoteAgent | undefined> {
    const id = agent.sync?.platform_agent_id;
    if (!id) return undefined;
    const { status, body } = await this.#ask(agent, "GET", `/v1/agents/${encodeURIComponent(id)}`, signal);
    return status === 404 || body.archived_at ? undefined : remoteAgent(body);
  }

  /** All agents of the account. */
  async agents(account: AnthropicAccount, signal: AbortSignal): Promise<readonly RemoteAgent[]> {
    return (await this.#pages(account, "/v1/agents", signal))
      .filter(({ archived_at }) => !archived_at)
      .map(remoteAgent);
  }

  async start({ agent, session }: SessionToStart, signal: AbortSignal): Promise<Started> {
    const { platform_agent_id: id } = agent.sync ?? {};
    const { environment_id, vault_ids = [] } = agent.platform_config ?? {};
    if (!id) return { kind: "failed", message: "The agent was never synced. Run a sync first" };
    if (!environment_id) return { kind: "failed", message: "platform_config.environment_id is missing" };
    const body = { agent: id, environment_id, ...(vault_ids.length > 0 && { vault_ids }) };
    const created = await this.#ask(agent, "POST", "/v1/sessions", signal, body);
    const sessionId = text(created.body.id);
    if (sessionId === "") throw new PlatformFailure("The platform created a session without an ID");
    const message = { type: "user.message", content: [{ type: "text", text: session.input }] };
    const events = { events: [message] };
    await this.#ask(agent, "POST", `/v1/sessions/${encodeURIComponent(sessionId)}/events`, signal, events);
    return { kind: "started", platformSessionId: sessionId };
  }

  async cancel(agent: AgentRow, { platform_session_id: id }: AgentSessionRow, signal: AbortSignal): Promise<void> {
    if (id === null) return;
    const events = { events: [{ type: "user.interrupt" }] };
    await this.#ask(agent, "POST", `/v1/sessions/${encodeURIComponent(id)}/events`, signal, events);
  }

  async sessions(agent: AgentRow, signal: AbortSignal): Promise<readonly RemoteSession[]> {
    const id = agent.sync?.platform_agent_id;
    if (!id) return [];
    const rows = await this.#pages(agent, `/v1/sessions?agent_id=${encodeURIComponent(id)}`, signal);
    const found = rows.filter((row) => isObject(row.agent) && row.agent.id === id);
    return Promise.all(found.map(async (row) => this.#withEvents(agent, row, signal)));
  }

  async session(agent: AgentRow, id: string, signal: AbortSignal): Promise<RemoteSession | undefined> {
    const { status, body } = await this.#ask(agent, "GET", `/v1/sessions/${encodeURIComponent(id)}`, signal);
    return status === 404 ? undefined : this.#withEvents(agent, body, signal);
  }

  async #withEvents(agent: AgentRow, row: Json, signal: AbortSignal): Promise<RemoteSession> {
    const events = await this.#pages(agent, `/v1/sessions/${encodeURIComponent(text(row.id))}/events`, signal);
    const usage = isObject(row.usage) ? row.usage : {};
    const { steps, input, output, error, isIdle } = readEvents(events);
    return {
      id: text(row.id),
      status: statusOf(text(row.status), isIdle),
      ...{ steps, input, output, error },
      inputTokens: count(usage.input_tokens),
      outputTokens: count(usage.output_tokens),
      createdAt: Date.parse(text(row.created_at)) || 0,
    };
  }

  /** `path` may have a query. */
  async #pages(account: AnthropicAccount, path: string, signal: AbortSignal): Promise<Json[]> {
    const rows: Json[] = [];
    let page: string | undefined;
    for (let at = 0; at < MAX_PAGES; at++) {
      const query = `${path.includes("?") ? "&" : "?"}limit=${PAGE}${page ? `&page=${encodeURIComponent(page)}` : ""}`;
      const { body } = await this.#ask(account, "GET", `${path}${query}`, signal);
      rows.push(...(Array.isArray(body.data) ? body.data.filter(isObject) : []));
      page = typeof body.next_page === "string" ? body.next_page : undefined;
      if (page === undefined) break;
    }
    return rows;
  }

  async #ask(
    account: AnthropicAccount,
    method: "GET" | "POST",
    path: string,
    signal: AbortSignal,
    body?: object,
  ): Promise<PlatformAnswer> {
    const { fetch, vault } = this.#needs;
    const { apiKey } = openPlatformSecrets(vault, account);
    if (apiKey === undefined) throw new PlatformFailure("platform_config.api_key is missing");
    const headers = {
      "content-type": "application/json",
      "x-api-key": apiKey,
      "anthropic-version": "2023-06-01",
      "anthropic-beta": "managed-agents-2026-04-01",
    };
    const url = `${(account.platform_config?.url ?? DEFAULT_URL).replace(/\/+$/, "")}${path}`;
    const request = { method, url, headers, body: body && JSON.stringify(body) };
    return askPlatform(fetch, request, signal, { accepts404: method === "GET" });
  }
}

/** The credential of the gateway is in a vault of the account: it is never part of an agent. */
function definitionBody({ name, description, model, instructions, gatewayUrl }: AgentDefinition): object {
  return {
    ...{ name, description, model, system: instructions },
    mcp_servers: [{ type: "url", name: GATEWAY, url: gatewayUrl }],
    tools: [
      {
        ...{ type: "mcp_toolset", mcp_server_name: GATEWAY },
        // No person confirms calls there; guards and approvals of the gateway apply.
        default_config: { permission_policy: { type: "always_allow" } },
      },
    ],
  };
}

function remoteAgent(body: Json): RemoteAgent {
  const servers = Array.isArray(body.mcp_servers) ? body.mcp_servers.filter(isObject) : [];
  const model = isObject(body.model) ? body.model.id : body.model;
  return {
    ...{ id: text(body.id), version: String(body.version ?? ""), name: text(body.name) },
    ...{ description: text(body.description), model: text(model), instructions: text(body.system) },
    gatewayUrl: text(servers.find(({ name }) => name === GATEWAY)?.url),
  };
}

function statusOf(status: string, isIdle: boolean): RemoteSession["status"] {
  if (status === "terminated") return "failed";
  // A session is idle before its first message, too.
  return status === "idle" && isIdle ? "completed" : "running";
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
