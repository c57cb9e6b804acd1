import * as oauth from "oauth4webapi";
import { isObject } from "#lib/is-object";
import type { OAuthClient } from "./client.ts";
import { hasErrorBody, judgeResponse } from "./judge-response.ts";
import { ANSWER_BYTES, type OAuthEgress, sendRequest } from "./oauth-request.ts";

export interface Token {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Undefined: valid until the server rejects it (D35). */
  readonly expiresInMs: number | undefined;
  /** Undefined: the requested scopes. */
  readonly scopes: string[] | undefined;
}

/** The authorization server refused, or its response is not a token. Retrying does not help. */
export class TokenRefused extends Error {
  override readonly name = "TokenRefused";
  /** RFC 6749 5.2; `invalid_answer` is ours. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The authorization server is unreachable or failed. Retrying may help. */
export class TokenUnavailable extends Error {
  override readonly name = "TokenUnavailable";
}

const VISIBLE_ASCII = /^[\x21-\x7e]{1,16384}$/;
const MOST_SCOPE_CHARACTERS = 4_000;
const LONGEST_LIFE_SECONDS = 10 * 365 * 24 * 60 * 60;

/** Form-encoded, with the client's authentication method. Redirects are not followed, because of the secret. */
export async function requestToken(
  outside: OAuthEgress,
  tokenEndpoint: string,
  client: Pick<OAuthClient, "clientId" | "clientSecret" | "authMethod">,
  fields: Readonly<Record<string, string>>,
): Promise<Token> {
  const response = await sendRequest(outside, {
    method: "POST",
    url: tokenEndpoint,
    ...authenticatedForm(client, fields),
    maxBytes: ANSWER_BYTES,
  });
  if ("failure" in response) throw new TokenUnavailable(response.failure.message);
  const { status, json } = response;
  const isError = hasErrorBody(json) && status < 500;
  if (!isError && (status >= 500 || status === 429 || status === 408)) {
    throw new TokenUnavailable(`the token endpoint answered HTTP ${status}`);
  }
  if (!isError && status !== 200) {
    throw new TokenRefused("invalid_answer", `the token endpoint answered HTTP ${status}`);
  }
  return judgeToken(json, tokenEndpoint, client.clientId);
}

async function judgeToken(json: unknown, tokenEndpoint: string, clientId: string): Promise<Token> {
  const server = { issuer: new URL(tokenEndpoint).origin, token_endpoint: tokenEndpoint };
  const judged = await judgeResponse(lenient(json), { status: 200 }, (response) =>
    oauth.processGenericTokenEndpointResponse(server, { client_id: clientId }, response),
  );
  if ("sent" in judged) throw new TokenRefused(judged.sent.code, judged.sent.text);
  if ("problem" in judged) throw new TokenRefused("invalid_answer", judged.problem);
  const { access_token, token_type, expires_in, refresh_token, scope } = judged.value;
  const refuse = (problem: string) => new TokenRefused("invalid_answer", problem);
  if (token_type !== "bearer") throw refuse("token_type: must be Bearer");
  // A token becomes part of a header.
  if (!VISIBLE_ASCII.test(access_token)) throw refuse("access_token: must be visible ASCII characters");
  if (refresh_token !== undefined && !VISIBLE_ASCII.test(refresh_token)) {
    throw refuse("refresh_token: must be visible ASCII characters");
  }
  if ((scope ?? "").length > MOST_SCOPE_CHARACTERS) throw refuse("scope: is too long");
  return {
    accessToken: access_token,
    refreshToken: refresh_token,
    expiresInMs: expires_in === undefined ? undefined : Math.min(expires_in, LONGEST_LIFE_SECONDS) * 1000,
    scopes: scope?.split(" ").filter((each) => each !== ""),
  };
}

/** An ID token is not used, so it is not judged; a negative lifetime means an expired token. */
function lenient(json: unknown): unknown {
  if (!isObject(json)) return json;
  const { id_token: _unused, expires_in: seconds, ...rest } = json;
  return { ...rest, expires_in: typeof seconds === "number" ? Math.max(seconds, 0) : seconds };
}

/** RFC 6749 2.3.1. */
export function authenticatedForm(
  { clientId, clientSecret = "", authMethod }: Pick<OAuthClient, "clientId" | "clientSecret" | "authMethod">,
  fields: Readonly<Record<string, string>>,
): { headers: Record<string, string>; body: string } {
  const form = new URLSearchParams(fields);
  const headers: Record<string, string> = {
    "content-type": "application/x-www-form-urlencoded",
    accept: "application/json",
  };
  if (authMethod === "client_secret_basic") {
    const pair = `${formEncoded(clientId)}:${formEncoded(clientSecret)}`;
    headers.authorization = `Basic ${Buffer.from(pair).toString("base64")}`;
  } else {
    form.set("client_id", clientId);
    if (authMethod === "client_secret_post") form.set("client_secret", clientSecret);
  }
  return { headers, body: form.toString() };
}

function formEncoded(text: string): string {
  return new URLSearchParams({ x: text }).toString().slice(2);
}
