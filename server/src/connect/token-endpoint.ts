import { z } from "zod";
import type { OAuthClient } from "./client.ts";
import { firstFault, quoted } from "./fault.ts";
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

const visible = z
  .string()
  .max(16_384)
  .regex(/^[\x21-\x7e]+$/, "must be visible ASCII characters");
/** Spec 4.6 row 4. Some servers send the seconds as a string. */
const TokenAnswer = z.object({
  access_token: visible,
  token_type: z.string().regex(/^bearer$/i, "must be Bearer"),
  expires_in: z
    .union([
      z.number(),
      z
        .string()
        .regex(/^\d{1,10}$/)
        .transform(Number),
    ])
    .nullish(),
  refresh_token: visible.nullish(),
  scope: z.string().max(4_000).nullish(),
});
const TokenError = z.object({ error: z.string(), error_description: z.string().optional() });
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
  const told = TokenError.safeParse(response.json);
  // Some servers return errors with 200.
  if (told.success && response.status < 500) {
    const { error, error_description: description = "" } = told.data;
    throw new TokenRefused(error, quoted(`${error} ${description}`));
  }
  if (response.status >= 500 || response.status === 429 || response.status === 408) {
    throw new TokenUnavailable(`the token endpoint answered HTTP ${response.status}`);
  }
  if (response.status !== 200)
    throw new TokenRefused("invalid_answer", `the token endpoint answered HTTP ${response.status}`);
  return judgeToken(response.json);
}

export function judgeToken(json: unknown): Token {
  const judged = TokenAnswer.safeParse(json);
  if (!judged.success) throw new TokenRefused("invalid_answer", firstFault(judged.error));
  const { access_token, expires_in, refresh_token, scope } = judged.data;
  const seconds = Math.min(Math.max(expires_in ?? 0, 0), LONGEST_LIFE_SECONDS);
  return {
    accessToken: access_token,
    refreshToken: refresh_token ?? undefined,
    expiresInMs: expires_in === undefined || expires_in === null ? undefined : seconds * 1000,
    scopes: scope === undefined || scope === null ? undefined : scope.split(" ").filter((each) => each !== ""),
  };
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
