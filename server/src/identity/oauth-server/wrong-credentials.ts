import type Provider from "oidc-provider";
import type { KoaContextWithOIDC } from "oidc-provider";
import { isObject } from "#lib/is-object";

/** The answer over a limit, which is not an error of the protocol. */
export const TOO_MANY = { error: "temporarily_unavailable", error_description: "Too many requests. Try again later." };

const WRONG: ReadonlySet<unknown> = new Set(["invalid_grant", "invalid_client"]);
const REVOCABLE = ["AccessToken", "RefreshToken"] as const;

/**
 * After too many wrong credentials, a refusal says when to try again. The library has judged the credential before, so a
 * valid one is accepted in any case (decision 0058).
 */
export function limitWrongCredentials(provider: Provider, countWrong: () => number | undefined): void {
  provider.use(async (koa, next) => {
    await next();
    if (!isWrong(koa)) return;
    const seconds = countWrong();
    if (seconds === undefined) return;
    koa.set("retry-after", String(seconds));
    if (koa.status >= 400) return;
    koa.status = 429;
    koa.body = TOO_MANY;
  });
}

/** Requests for unknown paths have no `oidc`. */
type Handled = Pick<KoaContextWithOIDC, "status" | "body"> & Partial<Pick<KoaContextWithOIDC, "oidc">>;

/** An unknown token to revoke is no error (RFC 7009). */
function isWrong({ oidc, status, body }: Handled): boolean {
  const route = oidc?.route;
  if (route !== "token" && route !== "revocation") return false;
  if (status >= 400) return isObject(body) && WRONG.has(body.error);
  return route === "revocation" && REVOCABLE.every((kind) => oidc?.entities[kind] === undefined);
}
