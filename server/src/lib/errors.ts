/**
 * All errors that callers can receive, independent of the transport: `api/kit/render-error.ts` maps them to HTTP,
 * `gateway/envelope/errors.ts` to JSON-RPC.
 */
export type RefusalKind =
  | "invalid" // 400 {code: INVALID_FORMAT, message}
  | "guard-blocked" // 400 {code: GUARD_BLOCKED, message}
  | "unknown-reference" // 400 {error}
  | "unauthenticated" // 401
  | "invalid-token" // 401 {error}
  | "invalid-signature" // 401 {error}
  | "forbidden" // 403
  | "not-found" // 404 {error}
  | "conflict" // 409 {code: CONFLICT, message}
  | "limit" // 429 {code: LIMIT_EXCEEDED, message}
  | "too-many" // 429 with Retry-After
  | "unavailable" // 500 with Retry-After (D33)
  | "upstream-unavailable"; // 503 {error} with Retry-After

/** A valid request that is rejected. The message is public; a private cause goes into `cause`. */
export class Refusal extends Error {
  readonly kind: RefusalKind;
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: RefusalKind, message: string, options: { cause?: unknown; retryAfterSeconds?: number } = {}) {
    super(message, { cause: options.cause });
    this.name = "Refusal";
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** Spec 7: `<field>: <reason>`. */
export function invalid(field: string, reason: string): Refusal {
  return new Refusal("invalid", `${field}: ${reason}`);
}

/** A change of something that the identity provider manages through SCIM. */
export function managedByScim(field: string, what: "user" | "group"): Refusal {
  return invalid(
    field,
    `managed by the identity provider through SCIM. Change it there, or detach the ${what} from SCIM first`,
  );
}

export function externalIdTaken(): Refusal {
  return invalid("external_id", "user with this external_id already exists");
}

/** Spec 7: `<param> query parameter is required`. */
export function missingParameter(parameter: string): Refusal {
  return new Refusal("invalid", `${parameter} query parameter is required`);
}

export const notFound = {
  mcpServer: () => new Refusal("not-found", "MCP server not found"),
  integration: () => new Refusal("not-found", "Integration not found"),
  group: () => new Refusal("not-found", "Group not found"),
  user: (email: string) => new Refusal("not-found", `User not found: ${email}`),
  webSession: () => new Refusal("not-found", "Session not found"),
  client: () => new Refusal("not-found", "Client not found"),
  connection: () => new Refusal("not-found", "Connection not found"),
  call: () => new Refusal("not-found", "Call not found"),
  connector: () => new Refusal("not-found", "Connector not found"),
  toolkit: () => new Refusal("not-found", "Toolkit not found"),
  skill: () => new Refusal("not-found", "Skill not found"),
  skillVersion: () => new Refusal("not-found", "Version not found"),
  skillFile: () => new Refusal("not-found", "File not found"),
  command: () => new Refusal("not-found", "Command not found"),
  plugin: () => new Refusal("not-found", "Plugin not found"),
  exchangeProvider: () => new Refusal("not-found", "Provider not found"),
  exchangeCredential: () => new Refusal("not-found", "Credential not found"),
  pluginRelease: () => new Refusal("not-found", "Release not found"),
  backgroundAgent: () => new Refusal("not-found", "Background agent not found"),
  agentSession: () => new Refusal("not-found", "Session not found"),
  discoveredItem: (what: string) => new Refusal("not-found", `${what} not found`),
  device: () => new Refusal("not-found", "Device not found"),
  discoveryRule: () => new Refusal("not-found", "Rule not found"),
  guard: () => new Refusal("not-found", "Guard not found"),
  approval: () => new Refusal("not-found", "Approval not found"),
  accessRequest: () => new Refusal("not-found", "Access request not found"),
  logDestination: () => new Refusal("not-found", "Log destination not found"),
  webhook: () => new Refusal("not-found", "Webhook not found"),
  webhookDelivery: () => new Refusal("not-found", "Delivery not found"),
  apiToken: () => new Refusal("not-found", "API token not found"),
  token: () => new Refusal("not-found", "Token not found"),
};

/** Spec 4.3: names the unknown references in the order of the request. */
export function unknownReferences(what: string, names: readonly string[]): Refusal {
  return new Refusal("unknown-reference", `${what} not found: ${names.join(", ")}`);
}
