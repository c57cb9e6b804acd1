import type { EgressFetch } from "#egress/egress";
import type { Clock } from "#lib/clock";
import { openPlatformSecrets } from "#records/agents";
import type { AgentRow, AgentSessionRow } from "#storage/agent-tables";
import type { Vault } from "#storage/vault";
import { signatureOf } from "../signed-request.ts";
import { type Platform, PlatformFailure, type SessionToStart, type Started } from "./platform.ts";
import { askPlatform } from "./platform-http.ts";

export interface WebhookPlatformNeeds {
  readonly fetch: EgressFetch;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly baseUrl: string;
  readonly gatewayUrl: string;
}

/** Any runner that accepts signed requests, and reports with signed requests. */
export class WebhookPlatform implements Platform {
  readonly #needs: WebhookPlatformNeeds;

  constructor(needs: WebhookPlatformNeeds) {
    this.#needs = needs;
  }

  async start({ agent, session, token }: SessionToStart, signal: AbortSignal): Promise<Started> {
    const { baseUrl, gatewayUrl } = this.#needs;
    const { slug, name, version, model, instructions } = agent;
    const query = agent.toolkit === null ? "" : `?toolkit=${encodeURIComponent(agent.toolkit)}`;
    await this.#send(
      agent,
      session,
      {
        type: "session.start",
        session_id: session.id,
        agent: { slug, name, version, model, instructions },
        input: session.input,
        metadata: session.metadata,
        gateway: { url: `${gatewayUrl}/mcp${query}`, token },
        report_url: `${baseUrl}/api/background-agents/${slug}/sessions/${session.id}/report`,
      },
      signal,
    );
    return { kind: "started", platformSessionId: null };
  }

  async cancel(agent: AgentRow, session: AgentSessionRow, signal: AbortSignal): Promise<void> {
    await this.#send(agent, session, { type: "session.cancel", session_id: session.id }, signal);
  }

  async #send(agent: AgentRow, session: AgentSessionRow, message: object, signal: AbortSignal): Promise<void> {
    const { fetch, clock, vault } = this.#needs;
    const { secret } = openPlatformSecrets(vault, agent);
    const url = agent.platform_config?.url;
    if (!url || secret === undefined) throw new PlatformFailure("The agent has no URL or secret of its runner");
    const body = JSON.stringify(message);
    const timestamp = String(Math.floor(clock.now() / 1000));
    const headers = {
      "content-type": "application/json",
      "x-timestamp": timestamp,
      "x-signature-256": signatureOf(secret, timestamp, body),
      "x-delivery-id": session.id,
    };
    await askPlatform(fetch, { method: "POST", url, headers, body }, signal);
  }
}
