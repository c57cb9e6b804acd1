import type { CompactVerifyGetKey } from "jose";
import { loadOnUse } from "#lib/load-on-use";
import type { ExchangeProviderRow } from "#storage/exchange-tables";
import type { IssuerKeys } from "./issuer-keys.ts";
import type { ParsedToken } from "./parse-token.ts";

type Provider = Pick<ExchangeProviderRow, "id" | "issuer" | "definition">;

/** Undefined: the signature is valid. Otherwise the reason why it is not. */
export async function verifySignature(
  keys: IssuerKeys,
  provider: Provider,
  token: ParsedToken,
): Promise<string | undefined> {
  const current = await keys.current(provider);
  const problem = await verifyWith(current, provider, token);
  if (problem !== UNKNOWN_KEY) return problem;
  const newer = await keys.refetched(provider);
  return newer ? verifyWith(newer, provider, token) : problem;
}

const UNKNOWN_KEY = "the issuer has no key with this kid and algorithm";

async function verifyWith(
  keys: CompactVerifyGetKey,
  { definition: { algorithms } }: Provider,
  { text }: ParsedToken,
): Promise<string | undefined> {
  const { compactVerify, errors } = await loadOnUse(() => import("jose"));
  try {
    await compactVerify(text, keys, { algorithms });
    return undefined;
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return UNKNOWN_KEY;
    if (error instanceof errors.JWKSMultipleMatchingKeys) {
      for await (const key of error) {
        const isValid = await compactVerify(text, key, { algorithms }).then(
          () => true,
          () => false,
        );
        if (isValid) return undefined;
      }
      return "no key of the issuer verifies the signature";
    }
    if (error instanceof errors.JOSEError || error instanceof TypeError) return error.message;
    throw error;
  }
}
