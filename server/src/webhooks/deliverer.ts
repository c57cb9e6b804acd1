import type { Egress } from "#egress/egress";
import type { Logger } from "#lib/logger";
import { CLAIM_MS, OutboxRunner } from "#lib/outbox-runner";
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

/** Open requests per webhook and process, so that a slow receiver delays only itself. */
const MAX_OPEN_PER_WEBHOOK = 4;
const DAY_MS = 24 * 60 * 60 * 1000;
export const DISABLED_AFTER_MS = 5 * DAY_MS;
const GONE = 410;
const AUTHOR: WriteAuthor = { actor: { kind: "system", id: "webhooks", name: "Webhooks" }, requestId: "webhooks" };

/** Sends the deliveries of the outbox. Attempts are repeated after a crash, so receivers get each event at least once. */
export class WebhookDeliverer {
  /** For metrics. */
  readonly counts = { delivered: 0, failed: 0 };
  readonly #needs: DelivererNeeds;
  readonly #runner: OutboxRunner<WebhookRow, WebhookDeliveryRow>;

  constructor(needs: DelivererNeeds) {
    const { db } = needs;
    this.#needs = needs;
    this.#runner = new OutboxRunner(needs, {
      name: "webhook deliveries",
      maxOpenPerChannel: MAX_OPEN_PER_WEBHOOK,
      channelsWithDue: (now) => webhooksWithDue(db, now),
      claim: (webhook, claim, limit) => claimDeliveries(db, webhook, claim, limit),
      attempt: (webhook, delivery) => this.#attempt(webhook, delivery),
    });
  }

  start(): void {
    this.#runner.start();
  }

  /** Looks for due deliveries now instead of after the next second. */
  wake(): void {
    this.#runner.wake();
  }

  /** Deliveries that are still being sent count as not attempted, and are due again when their claim expires. */
  stop(): Promise<void> {
    return this.#runner.stop();
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

  async #attempt(webhook: WebhookRow, delivery: WebhookDeliveryRow): Promise<void> {
    const { clock, vault, egress, baseUrl } = this.#needs;
    const at = clock.now();
    const startedAt = clock.monotonic();
    const request = { url: webhook.url, id: delivery.event_id, body: bodyOf(delivery, baseUrl), at };
    const secrets = secretsOf(vault, webhook, at);
    const result = secrets ? await send(egress, { ...request, secrets }, this.#runner.signal) : NO_SECRET;
    if (this.#runner.signal.aborted && result.status === null) return;
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
