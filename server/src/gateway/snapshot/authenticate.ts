import { timingSafeEqual } from "node:crypto";
import { accessKeyOf, hasValidChecksum } from "#lib/tokens";
import type { SecretVerifier } from "../ports.ts";
import type { CredentialEntry, SecretEntry, Snapshot, UserEntry } from "./shape.ts";

/** The authenticated caller: one type for people and machine users, whichever credential they presented. */
export interface Principal {
  readonly userId: string;
  readonly email: string;
  readonly kind: "person" | "machine";
  readonly user: UserEntry;
  readonly credentialId: string;
  readonly via: CredentialEntry["kind"];
  /** A machine user's access key, or the OAuth client that the user connected. */
  readonly clientId: string | undefined;
  /** The toolkit that the credential is bound to, if any. */
  readonly toolkit: string | undefined;
  /** The actor, if someone else acts on behalf of the user. */
  readonly actor: string | undefined;
  /** The only path the credential is valid for; undefined: every gateway path. */
  readonly path: string | undefined;
  /** The server that `path` must still mean; undefined: there was none. */
  readonly serverId: string | undefined;
}

/** AUTH-2: the result is either a principal or not; no other kind can be mistaken for one. */
export type Authentication =
  | { readonly kind: "principal"; readonly principal: Principal }
  /** Well formed, but the snapshot does not contain the key or the secret, so the database is checked once. */
  | { readonly kind: "unknown-key"; readonly accessKey: string; readonly secret: string }
  | { readonly kind: "invalid" };

const INVALID: Authentication = { kind: "invalid" };
const MAX_HEADER_LENGTH = 8192;
const BEARER_TOKEN = /^bearer +([\x21-\x39\x3b-\x7e]+)$/i;
/** Exactly one colon, with visible ASCII on both sides (AUTH-4). */
const BEARER_PAIR = /^bearer +[\x21-\x39\x3b-\x7e]+:[\x21-\x39\x3b-\x7e]+$/i;
const NO_SECRET: SecretEntry = { verifier: Buffer.alloc(32).toString("base64"), pepperVersion: 1 };

/**
 * Spec 4.5: `Bearer <ACCESS_KEY>:<SECRET>`, or a gateway token, which contains no colon. `header` is the only
 * Authorization header; for a request with several, pass undefined (AUTH-4).
 */
export function authenticate(
  header: string | undefined,
  snapshot: Snapshot,
  verifier: SecretVerifier,
  nowMs: number,
): Authentication {
  if (header === undefined || header.length > MAX_HEADER_LENGTH) return INVALID;
  if (BEARER_PAIR.test(header)) {
    const colon = header.indexOf(":");
    const pairKey = header.slice(header.lastIndexOf(" ") + 1, colon);
    return verify(pairKey, header.slice(colon + 1), true, snapshot, verifier, nowMs);
  }
  const token = BEARER_TOKEN.exec(header)?.[1];
  const accessKey = token === undefined ? undefined : accessKeyOf(token);
  if (token === undefined || accessKey === undefined) return INVALID;
  return verify(accessKey, token, false, snapshot, verifier, nowMs);
}

/** A pair is proven by its secret, a token by its full text; neither is accepted in place of the other (AUTH-3). */
function verify(
  accessKey: string,
  secret: string,
  isPair: boolean,
  snapshot: Snapshot,
  verifier: SecretVerifier,
  nowMs: number,
): Authentication {
  const credential = snapshot.credentials.get(accessKey);
  if (!credential) {
    // AUTH-5: the same work as for a known key, so that timing does not reveal which keys exist.
    matches(verifier.verifier(secret, snapshot.credentials.any()?.pepperVersion ?? 1), NO_SECRET);
    return unverified(accessKey, secret);
  }
  if (!proves(secret, credential, verifier, nowMs)) return unverified(accessKey, secret);
  if ((credential.kind === "machine_key") !== isPair) return INVALID;
  if (credential.expiresAt !== undefined && credential.expiresAt <= nowMs) return INVALID;
  const user = snapshot.usersById.get(credential.userId);
  if (!user || user.disabled) return INVALID;
  return { kind: "principal", principal: principalOf(user, credential, accessKey) };
}

/**
 * Another replica may have just created the key or rotated its secret. A secret with a bad checksum needs no lookup.
 */
function unverified(accessKey: string, secret: string): Authentication {
  return hasValidChecksum(secret) ? { kind: "unknown-key", accessKey, secret } : INVALID;
}

/**
 * The text that last proved each secret, so that the next request costs a comparison instead of an HMAC. An entry is
 * replaced whenever its record changes, which drops the cached proof.
 */
const PROOFS = new WeakMap<SecretEntry, Buffer>();

function proves(secret: string, credential: CredentialEntry, verifier: SecretVerifier, nowMs: number): boolean {
  const previous = unexpiredPrevious(credential, nowMs);
  if (isCached(secret, credential) || (previous && isCached(secret, previous))) return true;
  const digest = verifier.verifier(secret, credential.pepperVersion);
  if (matches(digest, credential)) return cacheProof(secret, credential);
  if (!previous) return false;
  // AUTH-5: with the same pepper, one HMAC serves both, so that a rejection takes no longer during a rotation overlap.
  const samePepper = previous.pepperVersion === credential.pepperVersion;
  const previousDigest = samePepper ? digest : verifier.verifier(secret, previous.pepperVersion);
  return matches(previousDigest, previous) && cacheProof(secret, previous);
}

/** SEC-8: checked on each request, even with a cached proof, because nothing is published when the overlap ends. */
function unexpiredPrevious({ previous }: CredentialEntry, nowMs: number): SecretEntry | undefined {
  return previous !== undefined && nowMs < previous.expiresAt ? previous : undefined;
}

function isCached(secret: string, entry: SecretEntry): boolean {
  const proven = PROOFS.get(entry);
  return proven?.length === secret.length && timingSafeEqual(proven, Buffer.from(secret, "latin1"));
}

function cacheProof(secret: string, entry: SecretEntry): true {
  PROOFS.set(entry, Buffer.from(secret, "latin1"));
  return true;
}

function matches(digest: Uint8Array | undefined, { verifier }: SecretEntry): boolean {
  const stored = Buffer.from(verifier, "base64");
  return digest?.length === stored.length && timingSafeEqual(digest, stored);
}

function principalOf(user: UserEntry, credential: CredentialEntry, accessKey: string): Principal {
  return {
    userId: user.id,
    email: user.email,
    kind: user.isMachine ? "machine" : "person",
    user,
    credentialId: credential.id,
    via: credential.kind,
    clientId: credential.kind === "machine_key" ? accessKey : credential.clientId,
    toolkit: credential.toolkit,
    actor: credential.actor,
    path: credential.path,
    serverId: credential.serverId,
  };
}
