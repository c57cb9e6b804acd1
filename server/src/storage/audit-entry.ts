/** The author of a write, for its audit rows and for the scope of its idempotency key. */
export interface Actor {
  readonly kind: "api-token" | "user" | "system";
  readonly id: string;
  readonly name: string;
}

export interface AuditEntry {
  readonly operation: string;
  readonly target: { readonly kind: string; readonly id: string; readonly name: string };
  /** The target before and after the write, without secrets. */
  readonly before?: object;
  readonly after?: object;
}

export interface WriteAuthor {
  readonly actor: Actor;
  readonly requestId: string;
  /** The caller's IP address, taken from trusted proxies. */
  readonly address?: string | undefined;
}
