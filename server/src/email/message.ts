import { redactText } from "#lib/logger";
import { type EmailData, type EmailKind, type EmailRow, OPTIONAL_EMAIL_KINDS } from "#storage/email-tables";

export interface EmailContext {
  readonly baseUrl: string;
  readonly orgName: string;
  /** The token of an invitation. */
  readonly token: string | undefined;
}

export interface EmailMessage {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The content, before it becomes text and HTML. */
interface Draft {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly action: { readonly label: string; readonly url: string };
}

const LONGEST_SUBJECT = 150;
const NOT_YOU = "If this was not you, contact an administrator immediately.";

export function messageOf(
  { kind, data, events, expires_at }: Pick<EmailRow, "kind" | "data" | "events" | "expires_at">,
  context: EmailContext,
): EmailMessage {
  const draft = DRAFTS[kind]({ ...context, events, expiresAt: expires_at, value: (name) => textOf(data, name) });
  const reason = `You get this email because you have an account at ${context.orgName}, ${context.baseUrl}.`;
  const isOptional = OPTIONAL_EMAIL_KINDS.some((optional) => optional === kind);
  const footer = isOptional ? `${reason} Turn such emails off at ${context.baseUrl}/account.` : reason;
  const { label, url } = draft.action;
  const text = [...draft.paragraphs, `${label}:\n${url}`, `-- \n${footer}`].join("\n\n");
  return {
    subject: singleLine(draft.subject).slice(0, LONGEST_SUBJECT),
    text: `${text}\n`,
    html: htmlOf(draft, footer),
  };
}

interface DraftNeeds extends EmailContext {
  readonly events: number;
  readonly expiresAt: number;
  value(name: string): string;
}

const DRAFTS: Readonly<Record<EmailKind, (needs: DraftNeeds) => Draft>> = {
  invitation: (needs) => (needs.value("resets_account") === "yes" ? newLink(needs) : invitation(needs)),
  account_reset: ({ orgName, baseUrl, value }) => ({
    subject: `Your account at ${orgName} was reset`,
    paragraphs: [
      `Hello ${value("name")},`,
      value("reason") === "sso"
        ? `You signed in to ${orgName} with single sign-on for the first time, from ${value("address")}. The password of your account was removed, because somebody else may have chosen it, and all sessions and MCP clients were signed out.`
        : `Someone opened a sign-in link for your account at ${orgName} from ${value("address")} and chose a new password. The link was created by ${value("invited_by")}. Your connections, sessions, and tokens were deleted.`,
      NOT_YOU,
    ],
    action: { label: "Open your account", url: `${baseUrl}/account` },
  }),
  password_changed: ({ orgName, baseUrl, value }) => ({
    subject: `Your password at ${orgName} was changed`,
    paragraphs: [
      `Hello ${value("name")},`,
      `The password of your account at ${orgName} was changed from ${value("address")}. All other sessions and MCP clients were signed out.`,
      NOT_YOU,
    ],
    action: { label: "Open your account", url: `${baseUrl}/account` },
  }),
  approval_requested: ({ baseUrl, events, value }) => ({
    subject:
      events === 1 ? `A call to ${value("server")} waits for your approval` : `${events} calls wait for your approval`,
    paragraphs: [
      events === 1
        ? `${value("caller")} called the tool ${value("tool")} of ${value("server")}. The guard ${value("guard")} holds the call until an owner or admin decides.`
        : `${events} calls wait until an owner or admin decides, for example one of ${value("caller")} to the tool ${value("tool")} of ${value("server")}.`,
      "A call that is not decided within an hour is rejected.",
    ],
    action: { label: "Review the calls", url: `${baseUrl}/approvals` },
  }),
  access_requested: ({ baseUrl, events, value }) => ({
    subject:
      events === 1
        ? `${value("person")} requests access to ${value("server")}`
        : `${events} access requests wait for a decision`,
    paragraphs: [
      events === 1
        ? `${value("person")} requests access to ${value("server")}: ${value("reason")}`
        : `${events} requests were made, for example by ${value("person")} for ${value("server")}.`,
    ],
    action: { label: "Review the requests", url: `${baseUrl}/access?tab=requests` },
  }),
  access_decided: ({ baseUrl, value }) => ({
    subject: `Your request for access to ${value("server")} was ${value("status")}`,
    paragraphs: [
      `${value("decided_by")} ${value("status")} your request for access to ${value("server")}.`,
      ...(value("note") === "" ? [] : [`Note: ${value("note")}`]),
    ],
    action: { label: "Open your servers", url: `${baseUrl}/account` },
  }),
  connection_expired: ({ baseUrl, value }) => ({
    subject: `Reconnect your account at ${value("server")}`,
    paragraphs: [
      `Your connection to ${value("server")} no longer works, so your MCP clients cannot use its tools. ${sentence(value("error"))}`,
    ],
    action: { label: "Reconnect", url: `${baseUrl}/connect/${encodeURIComponent(value("slug"))}` },
  }),
  test: ({ orgName, baseUrl, value }) => ({
    subject: `Test email from ${orgName}`,
    paragraphs: [`${value("sender")} sent this email to test the mail server of ${orgName}. It works.`],
    action: { label: "Open Gatehouse", url: baseUrl },
  }),
};

function invitation({ orgName, baseUrl, token, expiresAt, value }: DraftNeeds): Draft {
  return {
    subject: `${value("invited_by")} invited you to ${orgName}`,
    paragraphs: [
      `Hello ${value("name")},`,
      `${value("invited_by")} invited you to ${orgName}. Open the link and choose a password to sign in.`,
      linkNotice(expiresAt),
    ],
    action: { label: "Accept the invitation", url: `${baseUrl}/invite#${token ?? ""}` },
  };
}

/** For an account that is in use. */
function newLink({ orgName, baseUrl, token, expiresAt, value }: DraftNeeds): Draft {
  return {
    subject: `A new sign-in link for your account at ${orgName}`,
    paragraphs: [
      `Hello ${value("name")},`,
      `${value("invited_by")} created a new sign-in link for your account at ${orgName}. Opening it and choosing a password resets the account: your connections, sessions, and tokens are deleted. If you did not ask for this, do not use the link, and contact an administrator.`,
      linkNotice(expiresAt),
    ],
    action: { label: "Reset the account", url: `${baseUrl}/invite#${token ?? ""}` },
  };
}

function linkNotice(expiresAt: number): string {
  return `The link works once, until ${dateOf(expiresAt)}. Anyone who opens it can sign in as you, so do not forward this email.`;
}

/** Names and reasons come from people and servers: control characters and secrets in them are removed. */
function textOf(data: EmailData, name: string): string {
  const value = data[name];
  return typeof value === "string" ? redactText(singleLine(value)) : "";
}

/** A line break in a subject would start another header. */
function singleLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();
}

function sentence(text: string): string {
  return text === "" || text.endsWith(".") ? text : `${text}.`;
}

function dateOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

function htmlOf({ paragraphs, action }: Draft, footer: string): string {
  const shown = paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join("\n");
  const url = escapeHtml(action.url);
  return `<!doctype html>
<html lang="en">
<body style="font-family: system-ui, sans-serif; line-height: 1.5; max-width: 36rem">
${shown}
<p><a href="${url}">${escapeHtml(action.label)}</a></p>
<p style="word-break: break-all">${url}</p>
<hr>
<p style="font-size: 0.85em">${escapeHtml(footer)}</p>
</body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
