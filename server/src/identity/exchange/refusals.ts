import type { ExchangeRefusal } from "./check-token.ts";

interface RefusalAnswer {
  readonly status: 400 | 401 | 403 | 503;
  readonly message: string;
}

/** The responses of `POST /api/auth-exchange`. The reason of `invalid_token` is only in the audit log and in the test. */
export const REFUSAL_ANSWERS: Readonly<Record<ExchangeRefusal, RefusalAnswer>> = {
  empty: { status: 400, message: "JWT is empty" },
  malformed: { status: 400, message: "JWT is malformed" },
  "no-provider": { status: 400, message: "No trusted provider is configured for issuer" },
  "no-keys-url": { status: 400, message: "JWKS URI is not configured" },
  "keys-unavailable": { status: 503, message: "Issuer keys are unavailable" },
  "invalid-token": { status: 401, message: "invalid_token" },
  "no-subject": { status: 400, message: "JWT must contain a sub, email or client_id claim" },
  conditions: { status: 403, message: "Token claims do not satisfy provider conditions" },
  "unverified-email": { status: 403, message: "The email claim is not verified" },
  "no-user": { status: 403, message: "User not found for subject" },
};
