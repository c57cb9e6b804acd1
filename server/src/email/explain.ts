import { EgressFailure } from "#egress/egress";
import { isObject } from "#lib/is-object";
import { redactText } from "#lib/logger";
import type { SmtpSettings } from "#lib/smtp-settings";

export interface SmtpResult {
  /** Null: the mail server accepted the email. */
  readonly error: string | null;
  /** Whether the mail server rejected this email, and would reject it again. */
  readonly isFinal: boolean;
}

const LONGEST_RESPONSE = 300;

/** What a failed attempt means, and what to do about it. Responses of mail servers are cut, and secrets are removed. */
export function explainSmtpError(error: unknown, smtp: SmtpSettings): SmtpResult {
  if (error instanceof EgressFailure) {
    const reached = `The mail server ${smtp.host}:${smtp.port} cannot be reached: ${error.message}.`;
    return temporary(`${reached} Check SMTP_HOST and SMTP_PORT.`);
  }
  const fields = isObject(error) ? error : {};
  const { code, command, responseCode, permanent } = fields;
  const said = typeof fields.response === "string" ? ` The mail server responded: ${shown(fields.response, smtp)}` : "";
  if (code === "EAUTH" || code === "ENOAUTH") {
    return temporary(`The mail server rejected the sign-in. Check SMTP_USER and SMTP_PASSWORD.${said}`);
  }
  if (command === "RCPT TO" || command === "DATA") {
    const what = command === "DATA" ? "email" : "recipient";
    return {
      error: `The mail server rejected the ${what} (${String(responseCode)}).${said}`,
      isFinal: permanent === true,
    };
  }
  if (command === "MAIL FROM") return temporary(`The mail server rejected the sender. Check SMTP_FROM.${said}`);
  if (command === "STARTTLS" || code === "ETLS") return temporary(`${tlsFault(smtp)}${said}`);
  if (code === "ESOCKET" && isTlsError(fields)) return temporary(`${tlsFault(smtp)} (${String(fields.originalCode)})`);
  // The message of the error repeats the response.
  if (command === "CONN") return temporary(refusedConnection(error, smtp, said));
  return temporary(`The mail server ${smtp.host} did not accept the email: ${messageOf(error, smtp)}`);
}

function refusedConnection(error: unknown, smtp: SmtpSettings, said: string): string {
  const refused = `The mail server ${smtp.host} refused the connection`;
  return said === "" ? `${refused}: ${messageOf(error, smtp)}` : `${refused}. Check SMTP_HOST and SMTP_PORT.${said}`;
}

function messageOf(error: unknown, smtp: SmtpSettings): string {
  return error instanceof Error ? shown(error.message, smtp) : "unknown error";
}

function temporary(error: string): SmtpResult {
  return { error, isFinal: false };
}

function tlsFault({ host, security }: SmtpSettings): string {
  if (security === "starttls") {
    return `The mail server ${host} did not upgrade the connection to TLS with a trusted certificate. Check SMTP_PORT and SMTP_TLS.`;
  }
  return `The mail server ${host} did not accept TLS with a trusted certificate. Check SMTP_PORT and SMTP_TLS.`;
}

function isTlsError({ originalCode }: Readonly<Record<string, unknown>>): boolean {
  return typeof originalCode === "string" && /CERT|SSL|TLS|SELF_SIGNED|ISSUER|SIGNATURE/.test(originalCode);
}

/** Postgres cannot store NUL. A mail server may repeat what it received, so the password is removed too. */
function shown(text: string, { password }: SmtpSettings): string {
  const safe = password === undefined ? text : text.replaceAll(password, "[redacted]");
  return redactText(safe.toWellFormed().replaceAll(/\p{Cc}+/gu, " ")).slice(0, LONGEST_RESPONSE);
}
