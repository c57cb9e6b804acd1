import type { Egress } from "#egress/egress";
import { GuardEngine } from "#guards/engine";
import type { RemotePorts } from "#guards/remote/run-remote";
import type { Clock } from "#lib/clock";
import { VERSION } from "#lib/version";

export interface GuardNeeds {
  readonly clock: Clock;
  readonly egress: Pick<Egress, "request">;
}

/** Evaluates content with guards. */
export function createGuards({ clock, egress }: GuardNeeds) {
  const engine = new GuardEngine({ clock, ports: portsTo(egress) });
  return { engine, close: () => engine.close() };
}

/** Webhook checks follow the rules for outbound requests. No provider of models is connected, so llm checks fail. */
function portsTo(egress: Pick<Egress, "request">): RemotePorts {
  return {
    http: {
      async post({ url, headers, body, maxBytes, signal }) {
        const own = { "content-type": "application/json", "user-agent": `Gatehouse/${VERSION}` };
        const answer = await egress.request({
          ...{ method: "POST", url, headers: { ...headers, ...own }, body, maxBytes, signal },
        });
        return { status: answer.status, body: answer.body.toString("utf8") };
      },
    },
    judge: { judge: () => Promise.reject(new Error("no provider of models is configured")) },
  };
}
