import { createHash } from "node:crypto";
import * as oauth from "oauth4webapi";
import { z } from "zod";
import type { ClientAuthMethod, DiscoveredOAuth } from "#storage/oauth-tables";
import { firstFault, quoted, type StepLog } from "./fault.ts";
import { hasErrorBody, judgeResponse } from "./judge-response.ts";
import { ANSWER_BYTES, type OAuthEgress, sendRequest } from "./oauth-request.ts";

/** A registration as returned by the authorization server. */
export interface Registration {
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly authMethod: ClientAuthMethod;
  /** Epoch milliseconds; null: never. */
  readonly secretExpiresAt: number | null;
}

const METHODS = ["client_secret_post", "client_secret_basic", "none"] as const;

/** Spec 4.6 row 2: what the library does not judge. The contract defines the message for `redirect_uris`. */
const RegisteredMetadata = z.object({
  redirect_uris: z.array(z.string()),
  token_endpoint_auth_method: z.enum(METHODS).nullish(),
  grant_types: z.array(z.string()).nullish(),
  response_types: z.array(z.string()).nullish(),
});
/** OA-10. */
const MOST_ID_CHARACTERS = 512;
const MOST_SECRET_CHARACTERS = 4_000;

/** OA-4: a registration is valid only for this resource, this authorization server, these endpoints, and this callback. */
export function bindingKey(found: DiscoveredOAuth, callbackUrl: string): string {
  const bound = [found.issuer, found.tokenEndpoint, found.registrationEndpoint, callbackUrl, found.resource];
  return createHash("sha256").update(JSON.stringify(bound)).digest("base64url");
}

/** RFC 7591, with every member of Spec 4.6 row 2. */
export async function registerClient(
  outside: OAuthEgress,
  found: DiscoveredOAuth & { registrationEndpoint: string },
  ours: { readonly callbackUrl: string; readonly clientName: string },
  log: StepLog,
): Promise<Registration> {
  const authMethod = chooseAuthMethod(found.authMethods);
  const refreshes = found.grantTypes?.includes("refresh_token") ?? true;
  const body = {
    redirect_uris: [ours.callbackUrl],
    token_endpoint_auth_method: authMethod,
    grant_types: refreshes ? ["authorization_code", "refresh_token"] : ["authorization_code"],
    response_types: ["code"],
    client_name: ours.clientName,
    application_type: ours.callbackUrl.startsWith("https:") ? "web" : "native",
  };
  const asked = `POST ${found.registrationEndpoint}`;
  const response = await sendRequest(outside, {
    method: "POST",
    url: found.registrationEndpoint,
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(body),
    maxBytes: ANSWER_BYTES,
  });
  if ("failure" in response) throw log.fail(asked, response.summary, response.failure.message);
  const { status, json } = response;
  if (hasErrorBody(json) && status !== 200 && status !== 201) {
    const sent = await judgeRegistration(json, ours.callbackUrl, authMethod);
    throw log.fail(asked, response.summary, `registration failed with HTTP ${status}: ${String(sent)}`);
  }
  if (status !== 200 && status !== 201) {
    throw log.fail(asked, response.summary, `registration failed with HTTP ${status}`);
  }
  const judged = await judgeRegistration(json, ours.callbackUrl, authMethod);
  if (typeof judged === "string") throw log.fail(asked, response.summary, judged);
  log.add(asked, response.summary, `registered as ${quoted(judged.clientId)}`);
  return judged;
}

/** Returns the registration, or the problem as text (D35). */
export async function judgeRegistration(
  json: unknown,
  callbackUrl: string,
  asked: ClientAuthMethod,
): Promise<Registration | string> {
  // Some servers omit `client_secret_expires_at`, and some send 200 instead of 201.
  const judged = await judgeResponse(
    json,
    { status: 201, defaults: { client_secret_expires_at: 0 } },
    oauth.processDynamicClientRegistrationResponse,
  );
  if ("sent" in judged) return judged.sent.text;
  const metadata = RegisteredMetadata.safeParse(json);
  if (!metadata.success) return firstFault(metadata.error);
  if ("problem" in judged) return judged.problem;
  const answer = metadata.data;
  const { client_id: clientId, client_secret, client_secret_expires_at: expiresAt = 0 } = judged.value;
  const clientSecret = typeof client_secret === "string" ? client_secret : undefined;
  const problem = lengthProblem(clientId, clientSecret) ?? metadataProblem(answer, callbackUrl);
  if (problem !== undefined) return problem;
  // A response without a method and without a secret means a public client.
  const authMethod = answer.token_endpoint_auth_method ?? (clientSecret === undefined ? "none" : asked);
  if (authMethod !== "none" && clientSecret === undefined) return "client_secret: expected string, received undefined";
  return {
    clientId,
    clientSecret: authMethod === "none" ? undefined : clientSecret,
    authMethod,
    secretExpiresAt: typeof expiresAt !== "number" || expiresAt === 0 ? null : expiresAt * 1000,
  };
}

function lengthProblem(clientId: string, clientSecret = ""): string | undefined {
  if (clientId.length > MOST_ID_CHARACTERS) return `client_id: must be at most ${MOST_ID_CHARACTERS} characters`;
  if (clientSecret.length > MOST_SECRET_CHARACTERS) {
    return `client_secret: must be at most ${MOST_SECRET_CHARACTERS} characters`;
  }
  return undefined;
}

function metadataProblem(answer: z.output<typeof RegisteredMetadata>, callbackUrl: string): string | undefined {
  if (answer.redirect_uris.length !== 1 || answer.redirect_uris[0] !== callbackUrl) {
    return `redirect_uris: must be the same as sent, ["${callbackUrl}"]`;
  }
  if (answer.grant_types && !answer.grant_types.includes("authorization_code")) {
    return "grant_types: must contain authorization_code";
  }
  if (answer.response_types && !answer.response_types.includes("code")) return "response_types: must contain code";
  return undefined;
}

/** The first supported method that the server offers. RFC 8414: an omitted list means client_secret_basic. */
export function chooseAuthMethod(offered: readonly string[] = ["client_secret_basic"]): ClientAuthMethod {
  return METHODS.find((method) => offered.includes(method)) ?? "none";
}
