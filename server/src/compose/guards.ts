import { createJudge } from "#agents/model/judge";
import type { AppliedGuards } from "#agents/step-guards";
import type { Egress } from "#egress/egress";
import type { BlockedCall, GuardServices } from "#gateway/snapshot/guard-checks";
import type { SnapshotHolder } from "#gateway/snapshot/holder";
import { GuardEngine } from "#guards/engine";
import type { RemotePorts } from "#guards/remote/run-remote";
import { GuardCounter } from "#jobs/store-guard-counts";
import type { Clock } from "#lib/clock";
import type { Logger } from "#lib/logger";
import { VERSION } from "#lib/version";
import type { CallsDb } from "#storage/database";
import type { Vault } from "#storage/vault";
import { ContentGuards } from "#sync/content-guards";
import type { EventQueue } from "#webhooks/event-queue";

export interface GuardNeeds {
  readonly db: CallsDb;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly egress: Pick<Egress, "request" | "fetch">;
  readonly events: Pick<EventQueue, "offer">;
  readonly vault: Vault;
}

/** Evaluates payloads of calls, counts what guards do, and reports blocked calls to webhooks. */
export function createGuards({ db, clock, logger, egress, events, vault }: GuardNeeds) {
  const threadFailed = (error: unknown) => logger.error({ err: error }, "a thread of the guards failed");
  const engine = new GuardEngine({ clock, ports: portsTo(egress), threadFailed });
  const counter = new GuardCounter({ db, clock, logger });
  const services: GuardServices = {
    engine,
    clock,
    observer: {
      evaluated: (guardIds, fired) => counter.evaluated(guardIds, fired),
      blocked: (blocked) => offerEvent(events, blocked),
    },
  };
  const content = new ContentGuards({ engine, vault, clock, evaluated: services.observer.evaluated });
  return {
    engine,
    services,
    content,
    async close(): Promise<void> {
      await engine.close();
      await counter.flush();
    },
    /** Waits until all evaluations so far are counted in the database. */
    countsStored: () => counter.flush(),
  };
}

/** What the current snapshot says, for texts of agents that the gateway does not see. */
export function appliedGuards(holder: Pick<SnapshotHolder, "current">): AppliedGuards {
  return {
    guards: () => holder.current().guards,
    groupsOf: (userId) => holder.current().usersById.get(userId)?.groupIds ?? [],
    serverIdOf: (slug) => holder.current().serverIdBySlug.get(slug),
  };
}

/** Callers that are blocked again and again lead to one event per second. */
function offerEvent(events: Pick<EventQueue, "offer">, { guard, direction, call }: BlockedCall): void {
  const { server, tool, method, user, requestId } = call;
  const data = {
    guard_slug: guard?.slug ?? null,
    guard_name: guard?.name ?? null,
    ...{ direction, method, server_slug: server.slug || null, tool: tool ?? null, user_email: user.email },
    request_id: requestId,
  };
  events.offer("guard.blocked", data, JSON.stringify([guard?.slug, direction, server.id, tool, user.id]));
}

/** Webhook and llm checks follow the rules for outbound requests. */
function portsTo(egress: Pick<Egress, "request" | "fetch">): RemotePorts {
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
    judge: createJudge(egress.fetch),
  };
}
