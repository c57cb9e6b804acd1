import { createHash } from "node:crypto";
import { z } from "zod";
import type { ClientAuthMethod, DiscoveredOAuth } from "#storage/oauth-tables";
import { firstFault, quoted, type StepLog } from "./fault.ts";
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

/** Spec 4.6 row 2, OA-10. */
const RegistrationAnswer = z.object({
  redirect_uris: z.array(z.string()),
  client_id: z.string().min(1).max(512),
  client_secret: z.string().min(1).max(4_000).nullish(),
  client_secret_expires_at: z.number().nonnegative().nullish(),
  token_endpoint_auth_method: z.enum(METHODS).nullish(),
  grant_types: z.array(z.string()).nullish(),
  response_types: z.array(z.string()).nullish(),
});
const RegistrationError = z.object({ error: z.string(), error_description: z.string().optional() });

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
  if (response.status !== 200 && response.status !== 201) {
    const told = RegistrationError.safeParse(response.json);
    const reason = told.success ? `: ${quoted(`${told.data.error} ${told.data.error_description ?? ""}`)}` : "";
    throw log.fail(asked, response.summary, `registration failed with HTTP ${response.status}${reason}`);
  }
  const judged = judgeRegistration(response.json, ours.callbackUrl, authMethod);
  if (typeof judged === "string") throw log.fail(asked, response.summary, judged);
  log.add(asked, response.summary, `registered as ${quoted(judged.clientId)}`);
  return judged;
}

/** Returns the registration, or the problem as text (D35). */
export function judgeRegistration(json: unknown, callbackUrl: string, asked: ClientAuthMethod): Registration | string {
  const judged = RegistrationAnswer.safeParse(json);
  if (!judged.success) return firstFault(judged.error);
  const answer = judged.data;
  if (answer.redirect_uris.length !== 1 || answer.redirect_uris[0] !== callbackUrl) {
    return `redirect_uris: must be the same as sent, ["${callbackUrl}"]`;
  }
  if (answer.grant_types && !answer.grant_types.includes("authorization_code")) {
    return "grant_types: must contain authorization_code";
  }
  if (answer.response_types && !answer.response_types.includes("code")) return "response_types: must contain code";
  const clientSecret = answer.client_secret ?? undefined;
  // A response without a method and without a secret means a public client.
  const authMethod = answer.token_endpoint_auth_method ?? (clientSecret === undefined ? "none" : asked);
  if (authMethod !== "none" && clientSecret === undefined) return "client_secret: expected string, received undefined";
  const expiresAt = answer.client_secret_expires_at ?? 0;
  return {
    clientId: answer.client_id,
    clientSecret: authMethod === "none" ? undefined : clientSecret,
    authMethod,
    secretExpiresAt: expiresAt === 0 ? null : expiresAt * 1000,
  };
}

/** The first supported method that the server offers. RFC 8414: an omitted list means client_secret_basic. */
export function chooseAuthMethod(offered: readonly string[] = ["client_secret_basic"]): ClientAuthMethod {
  return METHODS.find((method) => offered.includes(method)) ?? "none";
}
