import type { Egress } from "#egress/egress";
import type { Logger } from "#lib/logger";
import { CLAIM_MS, OutboxRunner } from "#lib/outbox-runner";
import { type RandomBytes, randomUint30 } from "#lib/random";
import type { SmtpSettings } from "#lib/smtp-settings";
import {
  claimEmails,
  endEmail,
  hasDueEmails,
  insertEmail,
  markEmailSent,
  noteFailedAttempt,
  noteMailServerFails,
  noteMailServerWorks,
  openEmailToken,
  setEmailEnabled,
} from "#records/emails";
import { findInvitation } from "#records/invitations";
import type { EmailRow } from "#storage/email-tables";
import { type WriteAuthor, type WriteContext, writeTransaction } from "#storage/transaction";
import type { UserRow } from "#storage/user-tables";
import { type Vault, VaultFault } from "#storage/vault";
import { retryDelayMs } from "#webhooks/retry-schedule";
import type { SmtpResult } from "./explain.ts";
import { messageOf } from "./message.ts";
import { sendEmail } from "./smtp.ts";

export interface EmailDelivererNeeds extends WriteContext {
  readonly vault: Vault;
  readonly egress: Pick<Egress, "openSocket">;
  readonly logger: Logger;
  readonly random: RandomBytes;
  readonly baseUrl: string;
  readonly orgName: string;
  /** Identifies this process in claims. */
  readonly holder: string;
  /** Undefined: no email is sent. */
  readonly smtp: SmtpSettings | undefined;
}

/** Mail servers limit the connections of a client. */
const MAX_OPEN = 2;
const CHANNEL = { id: "smtp" };

/**
 * Sends the queued emails through the operator's mail server, with the outbox and the retries of webhooks. After a crash an
 * attempt is repeated, so an email can arrive twice; both have the same Message-ID (decision 0167).
 */
export class EmailDeliverer {
  /** For metrics. */
  readonly counts = { sent: 0, failed: 0 };
  readonly #needs: EmailDelivererNeeds;
  readonly #runner: OutboxRunner<typeof CHANNEL, EmailRow>;

  constructor(needs: EmailDelivererNeeds) {
    const { db } = needs;
    this.#needs = needs;
    this.#runner = new OutboxRunner(needs, {
      name: "emails",
      maxOpenPerChannel: MAX_OPEN,
      channelsWithDue: async (now) => ((await hasDueEmails(db, now)) ? [CHANNEL] : []),
      claim: (_channel, claim, limit) => claimEmails(db, claim, limit),
      attempt: (_channel, email, signal) => this.#attempt(email, signal),
    });
  }

  /** Undefined: no email is sent. */
  get settings(): Omit<SmtpSettings, "password"> | undefined {
    if (!this.#needs.smtp) return undefined;
    const { password: _password, ...shown } = this.#needs.smtp;
    return shown;
  }

  /** Without a mail server, operations queue no emails from now on. */
  async start(): Promise<void> {
    const { db, smtp, logger } = this.#needs;
    await setEmailEnabled(db, smtp !== undefined).catch((error: unknown) =>
      logger.warn({ err: error }, "the settings of the mail server could not be recorded"),
    );
    if (smtp) this.#runner.start();
  }

  stop(): Promise<void> {
    return this.#runner.stop();
  }

  /** Sends an email to this person now and resolves to its ID. It is not retried. Undefined: there is no mail server. */
  async sendTest(to: Pick<UserRow, "id" | "email">, author: WriteAuthor): Promise<string | undefined> {
    const { clock, newId, holder, smtp } = this.#needs;
    if (!smtp) return undefined;
    const now = clock.now();
    const email: EmailRow = {
      ...{ id: newId("eml"), kind: "test", user_id: to.id, recipient: to.email, sealed_token: null },
      data: { sender: author.actor.name },
      ...{ events: 1, status: "pending", at: now, due_at: now + CLAIM_MS, expires_at: now + CLAIM_MS },
      ...{ claimed_by: holder, attempts: 0, last_attempt_at: null, last_error: null },
    };
    await writeTransaction(this.#needs, author, async (tx, trail) => {
      await insertEmail(tx, email);
      const target = { kind: "email", id: email.id, name: to.email };
      trail.audit({ operation: "sendTestEmail", target, after: { recipient: to.email } });
    });
    await this.#attempt(email, this.#runner.signal);
    return email.id;
  }

  async #attempt(email: EmailRow, signal: AbortSignal): Promise<void> {
    const { db, clock, smtp, egress, baseUrl, orgName } = this.#needs;
    if (!smtp) return;
    const at = clock.now();
    const token = await this.#tokenOf(email, at);
    if (token === CANCELED) return;
    const message = messageOf(email, { baseUrl, orgName, token });
    const needs = { egress, clock, smtp, baseUrl };
    const outgoing = { ...message, id: email.id, to: email.recipient, at: email.at };
    const result = await sendEmail(needs, outgoing, signal);
    if (signal.aborted && result.error !== null) return;
    if (result.error === null) {
      await markEmailSent(db, email, at);
      await noteMailServerWorks(db, at);
      this.counts.sent++;
    } else await this.#noteFailure(email, at, { ...result, error: result.error });
  }

  /** Ends emails that would be useless: they are too old, or the link in them no longer works. */
  async #tokenOf(email: EmailRow, now: number): Promise<string | undefined | typeof CANCELED> {
    const { db, vault } = this.#needs;
    if (email.expires_at <= now) {
      await endEmail(db, email, "failed", email.last_error ?? "The mail server was not reachable in time");
      return CANCELED;
    }
    if (email.kind !== "invitation") return undefined;
    const token = openToken(vault, email);
    if (token === undefined) {
      await endEmail(db, email, "failed", "The link cannot be opened with the keys of this installation. Invite again");
      return CANCELED;
    }
    if (await findInvitation(db, token, now)) return token;
    await endEmail(db, email, "canceled", null);
    return CANCELED;
  }

  async #noteFailure(
    email: EmailRow,
    at: number,
    { error, isFinal }: SmtpResult & { readonly error: string },
  ): Promise<void> {
    const { db, clock, random, logger } = this.#needs;
    this.counts.failed++;
    const isLast = isFinal || email.kind === "test";
    const delayMs = isLast ? undefined : retryDelayMs(email.attempts + 1, randomUint30(random) / 2 ** 30);
    if (email.attempts === 0) logger.warn({ email: email.id, kind: email.kind, error }, "an email could not be sent");
    await noteFailedAttempt(db, email, { at, error, dueAt: delayMs === undefined ? undefined : clock.now() + delayMs });
    // A rejected recipient does not mean that the mail server fails.
    if (!isFinal) await noteMailServerFails(db, at, error);
  }
}

const CANCELED = Symbol("canceled");

/** Undefined if it does not open; the vault logs it. */
function openToken(vault: Vault, email: EmailRow): string | undefined {
  try {
    return openEmailToken(vault, email);
  } catch (error) {
    if (error instanceof VaultFault) return undefined;
    throw error;
  }
}
