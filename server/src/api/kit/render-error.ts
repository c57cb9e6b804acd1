import { Refusal } from "#lib/errors";
import { isDatabaseAway, refusalFor } from "#storage/constraints";

export interface RenderedError {
  readonly status: number;
  readonly body: { readonly code: string; readonly message: string } | { readonly error: string };
  readonly headers: Readonly<Record<string, string>>;
  /** True for internal errors, which are logged. */
  readonly isCrash: boolean;
}

const OVERLOADED = [503, "The service is overloaded. Try again in a few seconds."] as const;
/** Errors that Fastify and its hooks detect. */
const FRAMEWORK_ERRORS: Readonly<Record<string, readonly [status: number, error: string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [413, "Request body is too large"],
  NO_ROOM_FOR_BODY: OVERLOADED,
  NO_ROOM_FOR_RESPONSE: OVERLOADED,
  BODY_INCOMPLETE: [400, "Request body is incomplete"],
  BODY_TIMEOUT: [408, "Request body took too long"],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, "Content-Type must be application/json"],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, "Content-Length does not match the body"],
};
const DATABASE_RETRY_SECONDS = "5";

/** Renders every error of the administration API (Spec 7, D7, D8, D33). */
export function renderError(error: unknown, onCrash: string, bodyLimitBytes?: number): RenderedError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const framework = FRAMEWORK_ERRORS[code];
  if (framework) return renderFrameworkError(framework, bodyLimitBytes);
  const refusal = error instanceof Refusal ? error : refusalFor(error);
  if (!refusal) {
    const headers: Record<string, string> = isDatabaseAway(error) ? { "retry-after": DATABASE_RETRY_SECONDS } : {};
    return { status: 500, body: { error: onCrash }, headers, isCrash: true };
  }
  const retry: Record<string, string> =
    refusal.retryAfterSeconds === undefined ? {} : { "retry-after": String(refusal.retryAfterSeconds) };
  switch (refusal.kind) {
    case "invalid":
      return rendered(400, { code: "INVALID_FORMAT", message: refusal.message }, retry);
    case "guard-blocked":
      return rendered(400, { code: "GUARD_BLOCKED", message: refusal.message }, retry);
    case "unknown-reference":
      return rendered(400, { error: refusal.message }, retry);
    case "unauthenticated":
      return rendered(401, { error: "Unauthorized" }, { ...retry, "www-authenticate": "Bearer" });
    case "invalid-token":
      return rendered(
        401,
        { error: refusal.message },
        { ...retry, "www-authenticate": 'Bearer error="invalid_token"' },
      );
    case "invalid-signature":
      return rendered(401, { error: refusal.message }, retry);
    case "forbidden":
      return rendered(403, { error: refusal.message }, retry);
    case "not-found":
      return rendered(404, { error: refusal.message }, retry);
    case "conflict":
      return rendered(409, { code: "CONFLICT", message: refusal.message }, retry);
    case "limit":
      return rendered(429, { code: "LIMIT_EXCEEDED", message: refusal.message }, retry);
    case "too-many":
      return rendered(429, { error: refusal.message }, retry);
    case "unavailable":
      return rendered(500, { error: refusal.message }, retry);
    case "upstream-unavailable":
      return rendered(503, { error: refusal.message }, retry);
  }
}

function sizeOf(bytes: number): string {
  const [mib, kib] = [bytes / 1024 ** 2, bytes / 1024];
  return mib >= 1 ? `${Math.floor(mib)} MiB` : `${Math.floor(kib)} KiB`;
}

function renderFrameworkError(
  [status, sentence]: readonly [status: number, error: string],
  bodyLimitBytes: number | undefined,
): RenderedError {
  const limit = status === 413 && bodyLimitBytes !== undefined ? `. The limit is ${sizeOf(bodyLimitBytes)}` : "";
  return rendered(status, { error: `${sentence}${limit}` }, status === 503 ? { "retry-after": "1" } : {});
}

function rendered(status: number, body: RenderedError["body"], headers: Record<string, string>): RenderedError {
  return { status, body, headers, isCrash: false };
}
