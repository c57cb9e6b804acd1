/**
 * What upstreams say in a session between its calls is heard at one process, since many servers let a session have one
 * stream only, and whoever is to hear it may be at another. Who hears something and has nobody to tell puts it aside; all
 * processes are told, and one that has somebody takes it.
 */

import type { Clock } from "#lib/clock";
import { evictOldest } from "#lib/evict-oldest";
import type { Logger } from "#lib/logger";
import { acceptsRequest } from "../envelope/client-capabilities.ts";
import { readResponse, type UpstreamNotification, type UpstreamRequest } from "../envelope/read-response.ts";
import type { PassedMessage, PassedMessageRecords, PassedTo, Replicas, UpstreamAddress } from "../ports.ts";
import type { SnapshotHolder } from "../snapshot/holder.ts";
import type { ServerEntry } from "../snapshot/shape.ts";
import type { SessionCall, SessionMessage } from "../upstream/sessions/upstream-session.ts";
import { replyTo } from "../upstream/transport/json-rpc.ts";
import type { Upstreams } from "../upstream/upstreams.ts";

/** What was taken from another process. */
export interface TakenMessage {
  readonly sessionId: string;
  readonly server: ServerEntry;
  readonly from: UpstreamAddress;
  readonly message: UpstreamRequest | UpstreamNotification;
}

/** The calls that are under way here in sessions, by the ids that their callers gave them. */
export interface CallersCalls {
  idsOf(sessionIds: ReadonlySet<string>): ReadonlyMap<string, readonly string[]>;
  cancel(session: { readonly id: string }, rawId: string): void;
}

export interface PassedMessagesNeeds {
  readonly records: PassedMessageRecords;
  readonly replicas: Replicas;
  readonly upstreams: Upstreams;
  readonly holder: SnapshotHolder;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly hasStream: (sessionId: string) => boolean;
  readonly sessionCalls: CallersCalls;
  /** False: nobody is here for it. */
  readonly deliverLocally: (taken: TakenMessage) => boolean;
}

/** Others look every half second, if they are not busy. */
const PATIENCE_MS = 10_000;
/** What is said within this goes in one row. */
const GATHER_MS = 100;
/** After something that nobody took, so long nothing is stored. */
const UNHEARD_MS = 30_000;
const LARGEST_BYTES = 64 * 1024;
/** A server that talks without end must not fill the database (GW-10). */
const MOST_QUESTIONS = 256;
const MOST_OUTBOXES = 256;
const MOST_CANCELLING = 256;
const LONGEST_RAW_ID = 256;
const MOST_UNHEARD = 10_000;

interface Outbox {
  readonly messages: PassedMessage[];
  bytes: number;
}

export class PassedMessages {
  readonly #needs: PassedMessagesNeeds;
  /** By session and addressee, what goes out next. */
  readonly #outboxes = new Map<string, Outbox>();
  /** By session and addressee, until when nothing goes out, since nobody took the last. The oldest first. */
  readonly #unheard = new Map<string, number>();
  /** By session, questions from here that somebody may take. */
  readonly #asking = new Map<string, number>();
  #questions = 0;
  #cancelling = 0;

  constructor(needs: PassedMessagesNeeds) {
    this.#needs = needs;
  }

  /** True: it is asked elsewhere, or refused in a while. */
  question(heard: SessionMessage<UpstreamRequest>): boolean {
    const { session, message } = heard;
    const fits = message.source.length <= LARGEST_BYTES && this.#questions < MOST_QUESTIONS;
    if (!fits || !acceptsRequest(session.capabilities, message.method)) return false;
    this.#questions++;
    this.#asking.set(session.id, (this.#asking.get(session.id) ?? 0) + 1);
    void this.#ask(heard).finally(() => {
      this.#questions--;
      const others = (this.#asking.get(session.id) ?? 1) - 1;
      if (others > 0) this.#asking.set(session.id, others);
      else this.#asking.delete(session.id);
    });
    return true;
  }

  notification(heard: SessionMessage<UpstreamNotification>): void {
    const { id } = heard.session;
    const { progressToken, source } = heard.message;
    const to: PassedTo = progressToken ? { kind: "call", callId: source.text(progressToken) } : { kind: "stream" };
    const key = to.kind === "call" ? `${id} ${to.callId}` : id;
    if (!this.#needs.replicas.others() || (this.#unheard.get(key) ?? 0) > this.#needs.clock.monotonic()) return;
    const outbox = this.#outboxes.get(key) ?? { messages: [], bytes: 0 };
    if (outbox.bytes + source.length > LARGEST_BYTES || this.#outboxes.size >= MOST_OUTBOXES) return;
    if (outbox.messages.length === 0) {
      this.#outboxes.set(key, outbox);
      this.#needs.clock.after(GATHER_MS, () => void this.#send(id, to, key));
    }
    outbox.messages.push(passed(heard));
    outbox.bytes += source.length;
  }

  /** The caller wants that call no more, which is not here: it may be under way elsewhere, or over. */
  cancel(sessionId: string, rawId: string): void {
    const isTooMuch = this.#cancelling >= MOST_CANCELLING || rawId.length > LONGEST_RAW_ID;
    if (isTooMuch || !this.#needs.replicas.others()) return;
    this.#cancelling++;
    void this.#isTaken(sessionId, { kind: "cancel", callId: rawId }, []).finally(() => this.#cancelling--);
  }

  /** Calls of the session that are under way at other processes wait longer: one of them may need the answer. */
  announce(sessionId: string): void {
    const { records, replicas, logger } = this.#needs;
    if (!replicas.others()) return;
    records.announce(sessionId).catch((error: unknown) => {
      logger.warn({ err: error }, "other processes could not be told of a session");
    });
  }

  /** There is news of sessions, or somebody has come here. `calls`: those that are under way in them. */
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
      logger.warn({ err: error }, "what another process heard could not be taken");
    }
  }

  async #takeOf(sessionId: string, calls: readonly SessionCall[]): Promise<void> {
    const { records, upstreams, holder } = this.#needs;
    const hasStream = this.#needs.hasStream(sessionId);
    // What is asked from here, the calls that are here could not take.
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

  async #ask(heard: SessionMessage<UpstreamRequest>): Promise<void> {
    const { session, server, from, message } = heard;
    if (await this.#isTaken(session.id, { kind: "question" }, [passed(heard)])) return;
    await this.#needs.upstreams.post(server, session.userId, from, replyTo(message));
  }

  async #send(sessionId: string, to: PassedTo, key: string): Promise<void> {
    const messages = this.#outboxes.get(key)?.messages ?? [];
    this.#outboxes.delete(key);
    if (await this.#isTaken(sessionId, to, messages)) return;
    this.#unheard.delete(key);
    this.#unheard.set(key, this.#needs.clock.monotonic() + UNHEARD_MS);
    evictOldest(this.#unheard, MOST_UNHEARD);
  }

  async #isTaken(sessionId: string, to: PassedTo, messages: readonly PassedMessage[]): Promise<boolean> {
    const { records, replicas, clock, logger } = this.#needs;
    try {
      if (!(await replicas.look())) return false;
      const id = await records.pass(sessionId, to, messages);
      await new Promise<void>((resolve) => clock.after(PATIENCE_MS, resolve));
      return !(await records.takeBack(id));
    } catch (error) {
      logger.warn({ err: error }, "what was heard in a session could not be passed to other processes");
      return false;
    }
  }
}

function passed({ session, server, from, message }: SessionMessage): PassedMessage {
  const text = message.source.slice(0, message.source.length).toString("utf8");
  return { userId: session.userId, serverId: server.id, from, text };
}
