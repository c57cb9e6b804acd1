import { timingSafeEqual } from "node:crypto";
import { accessKeyOf, hasValidChecksum } from "#lib/tokens";
import type { SecretVerifier } from "../ports.ts";
import type { CredentialEntry, SecretEntry, Snapshot, UserEntry } from "./shape.ts";

/** Who calls: people and machines are one type, whatever they presented. */
export interface Principal {
  readonly userId: string;
  readonly email: string;
  readonly kind: "person" | "machine";
  readonly user: UserEntry;
  readonly credentialId: string;
  readonly via: CredentialEntry["kind"];
  /** The program: a machine user's key, or the OAuth client that the user connected. */
  readonly clientId: string | undefined;
  /** The toolkit that the credential is bound to; undefined: none. */
  readonly toolkit: string | undefined;
  /** Who acts in the user's name, if that is someone else. */
  readonly actor: string | undefined;
  /** The only path at which the credential counts; undefined: at all of the gateway's. */
  readonly path: string | undefined;
}

/** AUTH-2: either a principal or none; there is no third thing that could be taken for one. */
export type Authentication =
  | { readonly kind: "principal"; readonly principal: Principal }
  /** Well made, but this snapshot knows no such key or no such secret of it: worth one look at the database. */
  | { readonly kind: "unknown-key"; readonly accessKey: string; readonly secret: string }
  | { readonly kind: "invalid" };

const INVALID: Authentication = { kind: "invalid" };
const MAX_HEADER_LENGTH = 8192;
const BEARER_TOKEN = /^bearer +([\x21-\x39\x3b-\x7e]+)$/i;
/** Exactly one colon, with visible ASCII on both sides of it (AUTH-4). */
const BEARER_PAIR = /^bearer +[\x21-\x39\x3b-\x7e]+:[\x21-\x39\x3b-\x7e]+$/i;
const NO_SECRET: SecretEntry = { verifier: Buffer.alloc(32).toString("base64"), pepperVersion: 1 };

/**
 * Spec 4.5: `Bearer <ACCESS_KEY>:<SECRET>`, and without a colon a token of ours. `header` is the one Authorization header; a request with several has none
 * that counts (AUTH-4), and its reader must pass undefined.
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
    return judge(pairKey, header.slice(colon + 1), true, snapshot, verifier, nowMs);
  }
  const token = BEARER_TOKEN.exec(header)?.[1];
  const accessKey = token === undefined ? undefined : accessKeyOf(token);
  if (token === undefined || accessKey === undefined) return INVALID;
  return judge(accessKey, token, false, snapshot, verifier, nowMs);
}

/** A pair is proven by its secret, a token by the whole of itself; neither passes for the other (AUTH-3). */
function judge(
  accessKey: string,
  secret: string,
  isPair: boolean,
  snapshot: Snapshot,
  verifier: SecretVerifier,
  nowMs: number,
): Authentication {
  const credential = snapshot.credentials.get(accessKey);
  if (!credential) {
    // AUTH-5: the same work as for a known key, so that the time does not tell which keys exist.
    matches(verifier.verifier(secret, snapshot.credentials.any()?.pepperVersion ?? 1), NO_SECRET);
    return unproven(accessKey, secret);
  }
  if (!proves(secret, credential, verifier, nowMs)) return unproven(accessKey, secret);
  if ((credential.kind === "machine_key") !== isPair) return INVALID;
  if (credential.expiresAt !== undefined && credential.expiresAt <= nowMs) return INVALID;
  const user = snapshot.usersById.get(credential.userId);
  if (!user || user.disabled) return INVALID;
  return { kind: "principal", principal: principalOf(user, credential, accessKey) };
}

/** Another replica may have made the key or rotated its secret a moment ago; a bad checksum needs no look anywhere. */
function unproven(accessKey: string, secret: string): Authentication {
  return hasValidChecksum(secret) ? { kind: "unknown-key", accessKey, secret } : INVALID;
}

/**
 * What each secret was last proven with, so that its next request costs a comparison instead of an HMAC. An entry is
 * replaced whenever its record changes, and with it goes the proof.
 */
const PROVEN = new WeakMap<SecretEntry, Buffer>();

function proves(secret: string, credential: CredentialEntry, verifier: SecretVerifier, nowMs: number): boolean {
  const previous = livePrevious(credential, nowMs);
  if (isRemembered(secret, credential) || (previous && isRemembered(secret, previous))) return true;
  const digest = verifier.verifier(secret, credential.pepperVersion);
  if (matches(digest, credential)) return remember(secret, credential);
  if (!previous) return false;
  // AUTH-5: under one pepper, one HMAC serves both, so that a refusal takes no longer while a rotation overlaps.
  const samePepper = previous.pepperVersion === credential.pepperVersion;
  const previousDigest = samePepper ? digest : verifier.verifier(secret, previous.pepperVersion);
  return matches(previousDigest, previous) && remember(secret, previous);
}

/** SEC-8: judged at each request, remembered proof or not, because nothing is published when its time is over. */
function livePrevious({ previous }: CredentialEntry, nowMs: number): SecretEntry | undefined {
  return previous !== undefined && nowMs < previous.expiresAt ? previous : undefined;
}

function isRemembered(secret: string, entry: SecretEntry): boolean {
  const proven = PROVEN.get(entry);
  return proven?.length === secret.length && timingSafeEqual(proven, Buffer.from(secret, "latin1"));
}

function remember(secret: string, entry: SecretEntry): true {
  PROVEN.set(entry, Buffer.from(secret, "latin1"));
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
  };
}
