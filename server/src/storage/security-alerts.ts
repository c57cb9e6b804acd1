import type { AuditEntry, WriteAuthor } from "./audit-entry.ts";
import type { EmittedEvent } from "./event-outbox.ts";

/** Audited operations that are also a `security.alert`, each with its condition (decision 0085). */
const ALERTS: Readonly<Record<string, { readonly title: string; when?(entry: AuditEntry): boolean }>> = {
  updateUser: {
    title: "A person was made an owner",
    when: ({ before, after }) => field(before, "role") !== "owner" && field(after, "role") === "owner",
  },
  setUpOwner: { title: "An owner account was created with a setup link" },
  makeSetupLink: { title: "The operator created a setup link for an owner account" },
  createApiToken: {
    title: "An API token with all scopes was created",
    when: ({ after }) => JSON.stringify(field(after, "scopes") ?? []).includes('"all"'),
  },
  deleteApiToken: {
    title: "The API token of the identity provider ended with its owner, so provisioning may have stopped",
    when: ({ before, after }) =>
      JSON.stringify(field(before, "scopes") ?? []).includes('"admin:scim"') && field(after, "reason") !== undefined,
  },
  inviteUser: {
    title: "A person who has signed in before was invited again",
    when: ({ after }) => field(after, "resets_account") === true,
  },
  acceptInvitation: {
    title: "An account was reset by a new invitation",
    when: ({ after }) => field(after, "resets_account") === true,
  },
  revealUserSecret: { title: "The secret of a machine user was revealed" },
  refreshTokenReused: { title: "A refresh token was used again, so its MCP client was disconnected" },
  exchangeTokenReused: {
    title: "A refresh token of an exchanged credential was used again, so the credential was ended",
  },
  createExchangeProvider: { title: "A trusted issuer was added" },
  updateExchangeProvider: {
    title: "A trusted issuer was changed",
    when: ({ before, after }) =>
      ["issuer", "jwks", "jwks_uri", "subject", "conditions"].some((name) => isChanged(before, after, name)),
  },
  noteOAuthChange: { title: "A server names another authorization server, which waits for approval" },
  updateSettings: {
    title: "The sign-in settings were changed",
    when: ({ before, after }) => ["sso", "local_sign_in"].some((name) => isChanged(before, after, name)),
  },
  auditProblemFound: { title: "The verification of the audit log failed: entries were changed or deleted" },
  disableWebhook: { title: "A webhook was disabled because its receiver fails" },
};

/** Undefined if the entry is no alert. The values before and after stay in the audit log. */
export function securityAlertOf(entry: AuditEntry, author: WriteAuthor, auditId: string): EmittedEvent | undefined {
  const alert = Object.hasOwn(ALERTS, entry.operation) ? ALERTS[entry.operation] : undefined;
  if (!alert || alert.when?.(entry) === false) return undefined;
  const { kind: type, name } = author.actor;
  const { kind, id, name: targetName } = entry.target;
  return {
    type: "security.alert",
    data: {
      operation: entry.operation,
      title: alert.title,
      actor: { type, name },
      target: { type: kind, id, name: targetName },
      ip: author.address ?? null,
      audit_id: auditId,
    },
  };
}

function field(side: object | undefined, name: string): unknown {
  return side === undefined ? undefined : Reflect.get(side, name);
}

function isChanged(before: object | undefined, after: object | undefined, name: string): boolean {
  return JSON.stringify(field(before, name)) !== JSON.stringify(field(after, name));
}
