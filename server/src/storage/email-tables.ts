/** Why an email is sent. */
export const EMAIL_KINDS = [
  "invitation",
  "account_reset",
  "password_changed",
  "approval_requested",
  "access_requested",
  "access_decided",
  "connection_expired",
  "test",
] as const;
export type EmailKind = (typeof EMAIL_KINDS)[number];

/** Notices that people can turn off. The others protect their account, or somebody asked for them. */
export const OPTIONAL_EMAIL_KINDS = [
  "approval_requested",
  "access_requested",
  "access_decided",
  "connection_expired",
] as const satisfies readonly EmailKind[];
export type OptionalEmailKind = (typeof OPTIONAL_EMAIL_KINDS)[number];

/** `canceled`: the invitation was replaced, used or revoked before the email was sent. */
export const EMAIL_STATUSES = ["pending", "sent", "failed", "canceled"] as const;
export type EmailStatus = (typeof EMAIL_STATUSES)[number];

/** What the text of an email mentions. No secrets. */
export type EmailData = Readonly<Record<string, string | readonly string[] | null>>;

export interface EmailRow {
  id: string;
  kind: EmailKind;
  user_id: string;
  recipient: string;
  data: EmailData;
  /** The token of an invitation, until the email is sent. */
  sealed_token: string | null;
  /** How many events of the same kind the email reports. */
  events: number;
  status: EmailStatus;
  at: number;
  /** When a process may send it. While one does, this is when its claim expires. */
  due_at: number;
  /** Afterwards it is useless, and is not sent. */
  expires_at: number;
  claimed_by: string | null;
  attempts: number;
  last_attempt_at: number | null;
  last_error: string | null;
}

interface EmailStateRow {
  id: number;
  enabled: boolean;
  sent_at: number | null;
  /** The first failed attempt since the last successful one. */
  failing_since: number | null;
  last_error: string | null;
}

/** A notice that the person turned off. */
interface EmailOptOutRow {
  user_id: string;
  kind: OptionalEmailKind;
}

export interface EmailTables {
  email_opt_outs: EmailOptOutRow;
  emails: EmailRow;
  email_state: EmailStateRow;
}
