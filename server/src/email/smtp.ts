import type { Socket } from "node:net";
import type { Transporter } from "nodemailer";
import { type Egress, EgressFailure } from "#egress/egress";
import type { Clock } from "#lib/clock";
import { isEmail } from "#lib/email";
import { loadOnUse, ReleaseReplaced } from "#lib/load-on-use";
import type { SmtpSettings } from "#lib/smtp-settings";
import { explainSmtpError, type SmtpResult } from "./explain.ts";
import type { EmailMessage } from "./message.ts";

export interface SmtpNeeds {
  readonly egress: Pick<Egress, "openSocket">;
  readonly clock: Clock;
  readonly smtp: SmtpSettings;
  /** Names this service to the mail server. */
  readonly baseUrl: string;
}

export interface OutgoingEmail extends EmailMessage {
  /** The same for each attempt, so that the receiving side can recognize repetitions. */
  readonly id: string;
  readonly to: string;
  readonly at: number;
}

/** For all steps together; shorter than a claim. */
const TIME_LIMIT_MS = 20_000;

/** One attempt. Never throws for a failure of the mail server or the network. */
export async function sendEmail(needs: SmtpNeeds, email: OutgoingEmail, signal: AbortSignal): Promise<SmtpResult> {
  if (!isEmail(email.to)) return { error: `"${email.to}" is not a valid email`, isFinal: true };
  const { address } = needs.smtp.from;
  return withTransport(needs, signal, (transport) =>
    transport.sendMail({
      from: needs.smtp.from,
      // As an object and in the envelope: a string would be parsed, and could contain several recipients.
      to: { name: "", address: email.to },
      envelope: { from: address, to: [email.to] },
      subject: email.subject,
      text: email.text,
      html: email.html,
      messageId: `<${email.id}@${address.slice(address.lastIndexOf("@") + 1)}>`,
      date: new Date(email.at),
      headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
    }),
  );
}

/** Connects and signs in without sending an email. */
export function verifyMailServer(needs: SmtpNeeds, signal: AbortSignal): Promise<SmtpResult> {
  return withTransport(needs, signal, (transport) => transport.verify());
}

async function withTransport(
  needs: SmtpNeeds,
  signal: AbortSignal,
  work: (transport: Transporter) => Promise<unknown>,
): Promise<SmtpResult> {
  const { egress, clock, smtp } = needs;
  let socket: Socket | undefined;
  const end = () => void socket?.destroy(new EgressFailure("timeout", "it did not respond in time"));
  const timer = clock.after(TIME_LIMIT_MS, end);
  signal.addEventListener("abort", end);
  try {
    socket = await egress.openSocket({ hostname: smtp.host, port: smtp.port, isOperators: true });
    if (signal.aborted) end();
    await work(await createTransport(needs, socket));
    return { error: null, isFinal: false };
  } catch (error) {
    if (error instanceof ReleaseReplaced) return { error: error.message, isFinal: false };
    return explainSmtpError(error, smtp);
  } finally {
    timer.cancel();
    signal.removeEventListener("abort", end);
    socket?.destroy();
  }
}

/** The library uses only the socket that egress opened. It is loaded when the first email is sent. */
async function createTransport({ smtp, baseUrl }: SmtpNeeds, socket: Socket): Promise<Transporter> {
  const { createTransport: create } = await loadOnUse(() => import("nodemailer"));
  const { host, port, security, user, password } = smtp;
  return create({
    ...{ host, port, secure: security === "tls", requireTLS: security === "starttls", ignoreTLS: security === "none" },
    ...(user !== undefined && { auth: { user, pass: password ?? "" } }),
    name: new URL(baseUrl).hostname,
    tls: { minVersion: "TLSv1.2" },
    ...{ greetingTimeout: TIME_LIMIT_MS, socketTimeout: TIME_LIMIT_MS },
    ...{ disableFileAccess: true, disableUrlAccess: true },
    getSocket: (_options, callback) => callback(null, { connection: socket }),
  });
}
