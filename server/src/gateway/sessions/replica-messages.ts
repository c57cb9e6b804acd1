/**
 * Passes messages of upstreams between processes. Many servers allow one stream per session, so one process receives the
 * messages between calls, while the caller may be connected to another. The receiver stores a message it cannot deliver
 * and notifies all processes; one that can deliver it takes it.
 */

import type { Clock } from "#lib/clock";
import { evictOldest } from "#lib/evict-oldest";
import type { Logger } from "#lib/logger";
import { acceptsRequest } from "../envelope/client-capabilities.ts";
import { readResponse, type UpstreamNotification, type UpstreamRequest } from "../envelope/read-response.ts";
import type {
  ReplicaMessage,
  ReplicaMessageRecords,
  ReplicaRecipient,
  Replicas,
  UpstreamAddress,
} from "../session-ports.ts";
import type { SnapshotHolder } from "../snapshot/holder.ts";
import type { ServerEntry } from "../snapshot/shape.ts";
import type { SessionCall, SessionMessage } from "../upstream/sessions/upstream-session.ts";
import { replyTo } from "../upstream/transport/json-rpc.ts";
import type { Upstreams } from "../upstream/upstreams.ts";

/** A message that another process received. */
export interface TakenMessage {
  readonly sessionId: string;
  readonly server: ServerEntry;
  readonly from: UpstreamAddress;
  readonly message: UpstreamRequest | UpstreamNotification;
}

/** The open calls of sessions at this process, by the ids of their callers. */
export interface CancellableCalls {
  idsOf(sessionIds: ReadonlySet<string>): ReadonlyMap<string, readonly string[]>;
  cancel(session: { readonly id: string }, rawId: string): void;
}

export interface ReplicaMessagesNeeds {
  readonly records: ReplicaMessageRecords;
  readonly replicas: Replicas;
  readonly upstreams: Upstreams;
  readonly holder: SnapshotHolder;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly hasStream: (sessionId: string) => boolean;
  readonly sessionCalls: CancellableCalls;
  /** False if it cannot be delivered here. */
  readonly deliverLocally: (taken: TakenMessage) => boolean;
}

/** Other processes check every half second, unless they are busy. */
const TAKE_MS = 10_000;
/** Messages within this time are stored in one row. */
const BATCH_MS = 100;
/** How long nothing is stored after a message that no process took. */
const NOT_TAKEN_MS = 30_000;
const MAX_BYTES = 64 * 1024;
/** A server that sends endlessly must not fill the database (GW-10). */
const MAX_QUESTIONS = 256;
const MAX_OUTBOXES = 256;
const MAX_CANCELING = 256;
const MAX_RAW_ID_LENGTH = 256;
const MAX_NOT_TAKEN = 10_000;

interface Outbox {
  readonly messages: ReplicaMessage[];
  bytes: number;
}

export class ReplicaMessages {
  readonly #needs: ReplicaMessagesNeeds;
  /** By session and addressee: the messages to store next. */
  readonly #outboxes = new Map<string, Outbox>();
  /** By session and addressee: until when nothing is stored, because no process took the last message. Oldest first. */
  readonly #notTakenUntil = new Map<string, number>();
  /** By session: the number of requests that another process may take. */
  readonly #asking = new Map<string, number>();
  #questions = 0;
  #canceling = 0;

  constructor(needs: ReplicaMessagesNeeds) {
    this.#needs = needs;
  }

  /** True if another process delivers the request, or it is refused after a timeout. */
  question(received: SessionMessage<UpstreamRequest>): boolean {
    const { session, message } = received;
    const fits = message.source.length <= MAX_BYTES && this.#questions < MAX_QUESTIONS;
    if (!fits || !acceptsRequest(session.capabilities, message.method)) return false;
    this.#questions++;
    this.#asking.set(session.id, (this.#asking.get(session.id) ?? 0) + 1);
    void this.#ask(received).finally(() => {
      this.#questions--;
      const others = (this.#asking.get(session.id) ?? 1) - 1;
      if (others > 0) this.#asking.set(session.id, others);
      else this.#asking.delete(session.id);
    });
    return true;
  }

  notification(received: SessionMessage<UpstreamNotification>): void {
    const { id } = received.session;
    const { progressToken, source } = received.message;
    const to: ReplicaRecipient = progressToken
      ? { kind: "call", callId: source.text(progressToken) }
      : { kind: "stream" };
    const key = to.kind === "call" ? `${id} ${to.callId}` : id;
    if (!this.#needs.replicas.others() || (this.#notTakenUntil.get(key) ?? 0) > this.#needs.clock.monotonic()) return;
    const outbox = this.#outboxes.get(key) ?? { messages: [], bytes: 0 };
    if (outbox.bytes + source.length > MAX_BYTES || this.#outboxes.size >= MAX_OUTBOXES) return;
    if (outbox.messages.length === 0) {
      this.#outboxes.set(key, outbox);
      this.#needs.clock.after(BATCH_MS, () => void this.#send(id, to, key));
    }
    outbox.messages.push(passed(received));
    outbox.bytes += source.length;
  }

  /** The caller canceled a call that is not open here: it may be open at another process, or over. */
  cancel(sessionId: string, rawId: string): void {
    const isTooMuch = this.#canceling >= MAX_CANCELING || rawId.length > MAX_RAW_ID_LENGTH;
    if (isTooMuch || !this.#needs.replicas.others()) return;
    this.#canceling++;
    void this.#isTaken(sessionId, { kind: "cancel", callId: rawId }, []).finally(() => this.#canceling--);
  }

  /** Disables the idle timeout of the session's calls at other processes: one of them may wait for the response. */
  announce(sessionId: string): void {
    const { records, replicas, logger } = this.#needs;
    if (!replicas.others()) return;
    records.announce(sessionId).catch((error: unknown) => {
      logger.warn({ err: error }, "other processes could not be notified of a session");
    });
  }

  /** Takes what is stored for sessions that changed, or whose caller connected here. `calls`: their open calls. */
  async take(
    sessionIds: Iterable<string>,
    calls: ReadonlyMap<string, readonly SessionCall[]> = new Map(),
  ): Promise<void> {
    const { records, hasStream, logger, sessionCalls } = this.#needs;
    const ids = new Set(sessionIds);
    const cancellable = sessionCalls.idsOf(ids);
    const here = [...ids].filter((id) => hasStream(id) || calls.has(id) || cancellable.has(id));
    if (here.length === 0) return;
    try {
      for (const id of await records.waiting(here)) {
        await this.#cancelHere(id, cancellable.get(id) ?? []);
        await this.#takeOf(id, calls.get(id) ?? []);
      }
    } catch (error) {
      logger.warn({ err: error }, "messages that another process received could not be taken");
    }
  }

  async #takeOf(sessionId: string, calls: readonly SessionCall[]): Promise<void> {
    const { records, upstreams, holder } = this.#needs;
    const hasStream = this.#needs.hasStream(sessionId);
    // The calls here could not take the requests that were stored here.
    const canAsk = hasStream || !this.#asking.has(sessionId);
    const callIds = calls.map(({ rawId }) => rawId);
    for (const { userId, serverId, from, text } of await records.take(sessionId, { canAsk, hasStream, callIds })) {
      const message = readResponse(Buffer.from(text));
      const server = holder.current().serversById.get(serverId);
      if (!server || (message.kind !== "request" && message.kind !== "notification")) continue;
      if (!this.#needs.deliverLocally({ sessionId, server, from, message }) && message.kind === "request")
        await upstreams.post(server, userId, from, replyTo(message));
    }
  }

  async #cancelHere(id: string, rawIds: readonly string[]): Promise<void> {
    if (rawIds.length === 0) return;
    const cancelled = await this.#needs.records.takeCancelled(id, rawIds);
    for (const rawId of cancelled) this.#needs.sessionCalls.cancel({ id }, rawId);
  }

  async #ask(received: SessionMessage<UpstreamRequest>): Promise<void> {
    const { session, server, from, message } = received;
    if (await this.#isTaken(session.id, { kind: "question" }, [passed(received)])) return;
    await this.#needs.upstreams.post(server, session.userId, from, replyTo(message));
  }

  async #send(sessionId: string, to: ReplicaRecipient, key: string): Promise<void> {
    const messages = this.#outboxes.get(key)?.messages ?? [];
    this.#outboxes.delete(key);
    if (await this.#isTaken(sessionId, to, messages)) return;
    this.#notTakenUntil.delete(key);
    this.#notTakenUntil.set(key, this.#needs.clock.monotonic() + NOT_TAKEN_MS);
    evictOldest(this.#notTakenUntil, MAX_NOT_TAKEN);
  }

  async #isTaken(sessionId: string, to: ReplicaRecipient, messages: readonly ReplicaMessage[]): Promise<boolean> {
    const { records, replicas, clock, logger } = this.#needs;
    try {
      if (!(await replicas.look())) return false;
      const id = await records.pass(sessionId, to, messages);
      await new Promise<void>((resolve) => clock.after(TAKE_MS, resolve));
      return !(await records.takeBack(id));
    } catch (error) {
      logger.warn({ err: error }, "messages of a session could not be passed to other processes");
      return false;
    }
  }
}

function passed({ session, server, from, message }: SessionMessage): ReplicaMessage {
  const text = message.source.slice(0, message.source.length).toString("utf8");
  return { userId: session.userId, serverId: server.id, from, text };
}
