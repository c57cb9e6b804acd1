import { timingSafeEqual } from "node:crypto";
import { hasValidChecksum } from "#lib/tokens";
import type { SecretVerifier } from "../ports.ts";
import type { CredentialEntry, Snapshot, UserEntry } from "./shape.ts";

/** Who calls: people and machines are one type, whatever they presented. */
export interface Principal {
  readonly userId: string;
  readonly email: string;
  readonly kind: "person" | "machine";
  readonly user: UserEntry;
  readonly credentialId: string;
  readonly via: CredentialEntry["kind"];
  readonly clientId: string;
  /** Who acts in the user's name, where that is somebody else. */
  readonly actor: string | undefined;
}

/** AUTH-2: either a principal or none; there is no third thing that could be taken for one. */
export type Authentication =
  | { readonly kind: "principal"; readonly principal: Principal }
  /** Well made, but not in this snapshot: worth one look at the database. */
  | { readonly kind: "unknown-key"; readonly accessKey: string }
  | { readonly kind: "invalid" };

const INVALID: Authentication = { kind: "invalid" };
const MAX_HEADER_LENGTH = 8192;
/** Exactly one colon, with visible ASCII on both sides of it (AUTH-4). */
const BEARER_PAIR = /^bearer +([\x21-\x39\x3b-\x7e]+):([\x21-\x39\x3b-\x7e]+)$/i;
const NO_VERIFIER = Buffer.alloc(32).toString("base64");

/**
 * Spec 4.5: `Bearer <ACCESS_KEY>:<SECRET>`. `header` is the one Authorization header; a request with several has none
 * that counts (AUTH-4), and its reader must pass undefined.
 */
export function authenticate(
  header: string | undefined,
  snapshot: Snapshot,
  verifier: SecretVerifier,
  nowMs: number,
): Authentication {
  if (header === undefined || header.length > MAX_HEADER_LENGTH) return INVALID;
  const [, accessKey, secret] = BEARER_PAIR.exec(header) ?? [];
  if (accessKey === undefined || secret === undefined) return INVALID;

  const credential = snapshot.credentials.get(accessKey);
  if (!credential) {
    // AUTH-5: the same work as for a known key, so that the time does not tell which keys exist.
    matches(secret, NO_VERIFIER, snapshot.credentials.any()?.pepperVersion ?? 1, verifier);
    return hasValidChecksum(secret) ? { kind: "unknown-key", accessKey } : INVALID;
  }
  if (!proves(secret, credential, verifier)) return INVALID;
  if (credential.kind !== "machine_key") return INVALID;
  if (credential.expiresAt !== undefined && credential.expiresAt <= nowMs) return INVALID;
  const user = snapshot.usersById.get(credential.userId);
  if (!user || user.disabled) return INVALID;
  return { kind: "principal", principal: principalOf(user, credential, accessKey) };
}

/**
 * The secret that a credential was last proven with, so that its next request costs a comparison instead of an HMAC.
 * An entry is replaced whenever its record changes, and with it goes the proof.
 */
const PROVEN = new WeakMap<CredentialEntry, Buffer>();

function proves(secret: string, credential: CredentialEntry, verifier: SecretVerifier): boolean {
  const proven = PROVEN.get(credential);
  if (proven?.length === secret.length && timingSafeEqual(proven, Buffer.from(secret, "latin1"))) return true;
  if (!matches(secret, credential.verifier, credential.pepperVersion, verifier)) return false;
  PROVEN.set(credential, Buffer.from(secret, "latin1"));
  return true;
}

function matches(secret: string, expected: string, pepperVersion: number, verifier: SecretVerifier): boolean {
  const presented = verifier.verifier(secret, pepperVersion);
  const stored = Buffer.from(expected, "base64");
  return presented?.length === stored.length && timingSafeEqual(presented, stored);
}

function principalOf(user: UserEntry, credential: CredentialEntry, accessKey: string): Principal {
  return {
    userId: user.id,
    email: user.email,
    kind: user.isMachine ? "machine" : "person",
    user,
    credentialId: credential.id,
    via: credential.kind,
    clientId: accessKey,
    actor: undefined,
  };
}
