import type Provider from "oidc-provider";
import type { KoaContextWithOIDC } from "oidc-provider";
import type { ExchangeCaller } from "../exchange/exchange-context.ts";
import { JWT_BEARER, TOKEN_EXCHANGE } from "../exchange/grant-types.ts";
import { exchangeAssertion, type OAuthAnswer } from "../exchange/oauth-grants.ts";
import type { Errors, OAuthServerContext } from "./oauth-server-context.ts";

/**
 * Enterprise-managed authorization: a client presents an identity assertion (ID-JAG). The library authenticates the
 * client; other exchanges need none and never arrive here.
 */
export function registerAssertionGrant(
  provider: Provider,
  errors: Errors,
  context: OAuthServerContext,
  callerOf: () => ExchangeCaller | undefined,
): void {
  const answer = async (koa: KoaContextWithOIDC): Promise<void> => {
    const { assertion, resource } = koa.oidc.params ?? {};
    const { clientId } = koa.oidc.client ?? {};
    const caller = callerOf();
    if (typeof assertion !== "string" || clientId === undefined || !caller)
      throw new errors.InvalidRequest("assertion is required");
    const presented = { assertion, clientId, resource: typeof resource === "string" ? resource : undefined };
    const { status, body } = await exchangeAssertion(context, presented, caller);
    if (status !== 200) throw errorOf(errors, { status, body });
    koa.body = body;
  };
  for (const grant of [JWT_BEARER, TOKEN_EXCHANGE]) {
    provider.registerGrantType(grant, answer, ["assertion", "resource", "scope"], []);
  }
  const { prototype } = provider.Client;
  const { grantTypeAllowed } = prototype;
  // The issuer decided that this client may present the assertion, so its registration need not list the grant.
  Object.assign(prototype, {
    grantTypeAllowed(this: typeof prototype, type: string) {
      return type === JWT_BEARER || grantTypeAllowed.call(this, type);
    },
  });
}

function errorOf({ CustomOIDCProviderError }: Errors, { status, body }: OAuthAnswer): Error {
  const error = new CustomOIDCProviderError(String(body.error), String(body.error_description));
  error.statusCode = status;
  return Object.assign(error, { status });
}
