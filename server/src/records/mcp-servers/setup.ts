import type { McpServerRow } from "#storage/server-tables";

/** D32: the server cannot be called until an admin completes its settings. */
export function needsSetup(server: McpServerRow): boolean {
  if (server.upstream_url === null) return true;
  return (
    server.auth_type === "proxy-oauth" &&
    server.auth_settings.clientId === undefined &&
    server.auth_settings.registrationUrl === undefined &&
    server.discovered_oauth?.registrationEndpoint === undefined &&
    !server.discovered_oauth?.readsClientDocuments
  );
}

/**
 * AZ-8: users entered their credentials for the old settings. If any of these changes, the credentials are deleted, so that
 * they are never sent elsewhere.
 */
export function movesCredentials(before: McpServerRow, after: McpServerRow): boolean {
  return (
    before.upstream_url !== after.upstream_url ||
    before.auth_type !== after.auth_type ||
    (["authUrl", "tokenUrl", "registrationUrl", "issuer", "resource"] as const).some(
      (key) => before.auth_settings[key] !== after.auth_settings[key],
    )
  );
}

/** OA-4: the client secret was entered for one token endpoint. If that changes, the secret must be entered again. */
export function movesClientSecret(before: McpServerRow, after: McpServerRow): boolean {
  const place = tokenPlace(before);
  return place !== undefined && place !== tokenPlace(after);
}

/**
 * The shared headers were entered for the origin that the server had. They are removed when it gets another one, and when
 * users authenticate themselves from now on.
 */
export function movesSharedHeaders(before: McpServerRow, after: McpServerRow): boolean {
  if (after.auth_type !== "none") return true;
  return before.upstream_url !== null && originOf(before.upstream_url) !== originOf(after.upstream_url);
}

function originOf(url: string | null): string | undefined {
  return url === null ? undefined : URL.parse(url)?.origin;
}

/** The settings that decide where tokens come from; undefined: none yet. */
function tokenPlace({ upstream_url, auth_settings: { tokenUrl, issuer = "" } }: McpServerRow): string | undefined {
  return tokenUrl ?? (upstream_url === null ? undefined : `${upstream_url} ${issuer}`);
}
