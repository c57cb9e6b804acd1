import { systemRandom } from "#lib/random";
import { newExchangeRefreshToken } from "#lib/tokens";

const PROVIDER = {
  name: "CI",
  issuer: "https://issuer.example.com",
  audiences: ["gatehouse"],
  conditions: [{ claim: "repository", operator: "matches", value: "acme/*" }],
};

/** Every write of trusted issuers once, in an order in which each can succeed: name, request, sides in the audit log. */
export const EXCHANGE_WRITES: readonly [string, string, string, object | undefined, string][] = [
  ["createExchangeProvider", "POST", "/api/auth-exchange/providers", PROVIDER, "after"],
  ["updateExchangeProvider", "PATCH", "/api/auth-exchange/providers?slug=ci", { name: "Changed" }, "both"],
  ["deleteExchangeProvider", "DELETE", "/api/auth-exchange/providers?slug=ci", undefined, "before"],
  ["endExchangeCredential", "DELETE", "/api/auth-exchange/credentials?id=exc_1", undefined, "before"],
];

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const refreshToken = newExchangeRefreshToken(systemRandom);

/** Valid bodies of these operations. */
export const EXCHANGE_BODIES: Readonly<Record<string, object>> = {
  createExchangeProvider: PROVIDER,
  updateExchangeProvider: { name: "x" },
  testExchangeProvider: { token: "x" },
  exchangeAuth: { token: `${part({ alg: "RS256" })}.${part({ iss: "https://issuer.example.com" })}.x` },
  refreshExchange: { refresh_token: refreshToken },
  revokeExchange: { token: refreshToken },
};
