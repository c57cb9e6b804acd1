import type { Egress } from "#egress/egress";
import type { Timer } from "#lib/clock";
import type { Logger } from "#lib/logger";
import { type RandomBytes, randomUint30 } from "#lib/random";
import { TEST_EVENT } from "#lib/webhook-events";
import {
  addAttempt,
  claimDeliveries,
  insertDelivery,
  lockWebhook,
  markDelivered,
  openWebhookSecrets,
  releaseClaim,
  updateWebhook,
  webhooksWithDue,
} from "#records/webhooks";
import type { MainTransaction } from "#storage/database";
import { newDelivery, payloadOf } from "#storage/event-outbox";
import { type WriteAuthor, type WriteContext, type WriteTrail, writeTransaction } from "#storage/transaction";
import { type Vault, VaultFault } from "#storage/vault";
import type { WebhookDeliveryRow, WebhookRow } from "#storage/webhook-tables";
import { bodyOf } from "./message.ts";
import { retryDelayMs } from "./retry-schedule.ts";
import { type SendResult, send } from "./send.ts";

export interface DelivererNeeds extends WriteContext {
  readonly vault: Vault;
  readonly egress: Pick<Egress, "request">;
  readonly logger: Logger;
  readonly random: RandomBytes;
  readonly baseUrl: string;
  /** Identifies this process in claims. */
  readonly holder: string;
}

const POLL_MS = 1_000;
/** Longer than an attempt can take. Afterwards another process assumes that this one is dead. */
const CLAIM_MS = 30_000;
/** Open requests per webhook and process, so that a slow receiver delays only itself. */
const MAX_OPEN_PER_WEBHOOK = 4;
const DAY_MS = 24 * 60 * 60 * 1000;
export const DISABLED_AFTER_MS = 5 * DAY_MS;
const GONE = 410;
const AUTHOR: WriteAuthor = { actor: { kind: "system", id: "webhooks", name: "Webhooks" }, requestId: "webhooks" };

/**
 * Sends the deliveries of the outbox. Every process does; a claim in the database keeps others from sending the same
 * delivery. Attempts are repeated after a crash, so receivers get each event at least once.
 */
export class WebhookDeliverer {
  /** For metrics. */
  readonly counts = { delivered: 0, failed: 0 };
  readonly #needs: DelivererNeeds;
  readonly #open = new Map<string, number>();
  readonly #sending = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  #timer: Timer | undefined;
  #tick: Promise<void> | undefined;
  #isWoken = false;
  #isDatabaseAway = false;

  constructor(needs: DelivererNeeds) {
    this.#needs = needs;
  }

  start(): void {
    this.#schedule(0);
  }

  /** Looks for due deliveries now instead of after the next second. */
  wake(): void {
    this.#isWoken = true;
    if (!this.#tick && this.#timer) this.#schedule(0);
  }

  /** Deliveries that are still being sent count as not attempted, and are due again when their claim expires. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#timer?.cancel();
    await this.#tick;
    await Promise.allSettled(this.#sending);
  }

  /** Sends a test event now and resolves to its delivery. It is not retried. Undefined: the webhook does not exist. */
  async sendTest(webhookId: string, author: WriteAuthor, userName: string): Promise<string | undefined> {
    const { clock, newId } = this.#needs;
    const { result } = await writeTransaction(this.#needs, author, async (tx, trail) => {
      const webhook = await lockWebhook(tx, webhookId);
      if (!webhook) return undefined;
      const now = clock.now();
      const data = {
        message: `${userName} sent this event to test the webhook ${webhook.name}`,
        webhook: webhook.name,
      };
      const delivery = {
        ...newDelivery({
          ...{ id: newId("whd"), webhook_id: webhook.id, event_id: newId("evt"), event_type: TEST_EVENT },
          ...{ payload: payloadOf(TEST_EVENT, data, now), format: webhook.format, at: now },
        }),
        claimed_by: this.#needs.holder,
        due_at: now + CLAIM_MS,
      };
      await insertDelivery(tx, delivery);
      const target = { kind: "webhook", id: webhook.id, name: webhook.name };
      trail.audit({ operation: "testWebhook", target, after: { delivery_id: delivery.id } });
      return { webhook, delivery };
    });
    if (!result) return undefined;
    await this.#attempt(result.webhook, result.delivery);
    return result.delivery.id;
  }

  #schedule(delayMs: number): void {
    this.#timer?.cancel();
    if (this.#stop.signal.aborted) return;
    this.#timer = this.#needs.clock.after(delayMs, () => {
      this.#isWoken = false;
      this.#tick = this.#claimAll().finally(() => {
        this.#tick = undefined;
        this.#schedule(this.#isWoken ? 0 : POLL_MS);
      });
    });
  }

  async #claimAll(): Promise<void> {
    const { db, clock, holder, logger } = this.#needs;
    try {
      const now = clock.now();
      for (const webhook of await webhooksWithDue(db, now)) {
        const free = MAX_OPEN_PER_WEBHOOK - (this.#open.get(webhook.id) ?? 0);
        if (free <= 0 || this.#stop.signal.aborted) continue;
        const claim = { holder, now, until: now + CLAIM_MS };
        for (const delivery of await claimDeliveries(db, webhook, claim, free)) this.#begin(webhook, delivery);
      }
      this.#isDatabaseAway = false;
    } catch (error) {
      if (!this.#isDatabaseAway)
        logger.warn({ err: error }, "webhook deliveries wait because the database is unavailable");
      this.#isDatabaseAway = true;
    }
  }

  #begin(webhook: WebhookRow, delivery: WebhookDeliveryRow): void {
    const { id } = webhook;
    this.#open.set(id, (this.#open.get(id) ?? 0) + 1);
    const sending = this.#attempt(webhook, delivery)
      .catch((error: unknown) =>
        this.#needs.logger.warn(
          { err: error, webhook: id, delivery: delivery.id },
          "a webhook delivery could not be recorded",
        ),
      )
      .finally(() => {
        this.#sending.delete(sending);
        const open = (this.#open.get(id) ?? 1) - 1;
        if (open > 0) this.#open.set(id, open);
        else this.#open.delete(id);
        // More may be due for this webhook.
        this.wake();
      });
    this.#sending.add(sending);
  }

  async #attempt(webhook: WebhookRow, delivery: WebhookDeliveryRow): Promise<void> {
    const { clock, vault, egress, baseUrl } = this.#needs;
    const at = clock.now();
    const startedAt = clock.monotonic();
    const request = { url: webhook.url, id: delivery.event_id, body: bodyOf(delivery, baseUrl), at };
    const secrets = secretsOf(vault, webhook, at);
    const result = secrets ? await send(egress, { ...request, secrets }, this.#stop.signal) : NO_SECRET;
    if (this.#stop.signal.aborted && result.status === null) return;
    const durationMs = Math.round(clock.monotonic() - startedAt);
    await this.#record(webhook, delivery, { ...result, at, durationMs });
    if (result.error === null) this.counts.delivered++;
    else this.counts.failed++;
  }

  async #record(
    { id: webhookId }: WebhookRow,
    delivery: WebhookDeliveryRow,
    result: SendResult & { readonly at: number; readonly durationMs: number },
  ): Promise<void> {
    const { newId, clock, random } = this.#needs;
    const { at, durationMs: duration_ms, status, error, response } = result;
    const row = { id: newId("wha"), delivery_id: delivery.id, at, duration_ms, status, error, response };
    const isTest = delivery.event_type === TEST_EVENT;
    const delayMs = isTest
      ? undefined
      : retryDelayMs(delivery.round_attempts + 1, randomUint30(random) / 2 ** 30, result.retryAfterMs);
    await writeTransaction(this.#needs, AUTHOR, async (tx, trail) => {
      // The webhook first, in the order in which every write locks them.
      const webhook = await lockWebhook(tx, webhookId);
      if (!webhook || !(await addAttempt(tx, row))) return;
      if (error === null) {
        await markDelivered(tx, delivery.id);
        if (webhook.failing_since !== null) await updateWebhook(tx, webhook.id, { failing_since: null });
        return;
      }
      const isGone = status === GONE;
      const dueAt = delayMs === undefined || isGone ? undefined : clock.now() + delayMs;
      await releaseClaim(tx, delivery, dueAt);
      if (!isTest) await this.#noteFailure(tx, trail, webhook, { at, isGone, isLast: dueAt === undefined });
    });
  }

  async #noteFailure(
    tx: MainTransaction,
    trail: WriteTrail,
    webhook: WebhookRow,
    { at, isGone, isLast }: { readonly at: number; readonly isGone: boolean; readonly isLast: boolean },
  ): Promise<void> {
    const { id, failing_since: since } = webhook;
    if (since === null) await updateWebhook(tx, id, { failing_since: at });
    const isGivenUp = isLast && at - (since ?? at) >= DISABLED_AFTER_MS;
    if (webhook.enabled && (isGone || isGivenUp)) await this.#disable(tx, trail, webhook, isGone ? "gone" : "failing");
  }

  async #disable(
    tx: MainTransaction,
    trail: WriteTrail,
    { id, name }: WebhookRow,
    reason: NonNullable<WebhookRow["disabled_reason"]>,
  ): Promise<void> {
    const now = this.#needs.clock.now();
    await updateWebhook(tx, id, { enabled: false, disabled_reason: reason, disabled_at: now, updated_at: now });
    const target = { kind: "webhook", id, name };
    trail.audit({ operation: "disableWebhook", target, before: { enabled: true }, after: { enabled: false, reason } });
    this.#needs.logger.warn({ webhook: id, reason }, "a webhook was disabled because its receiver fails");
  }
}

const NO_SECRET: SendResult = {
  status: null,
  error: "The signing secret cannot be opened with the keys of this installation. Rotate the secret",
  response: null,
  retryAfterMs: 0,
};

/** Undefined if the secret does not open; the vault logs it. */
function secretsOf(vault: Vault, webhook: WebhookRow, now: number): string[] | undefined {
  try {
    return openWebhookSecrets(vault, webhook, now);
  } catch (error) {
    if (error instanceof VaultFault) return undefined;
    throw error;
  }
}
