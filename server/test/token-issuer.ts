/** A real issuer of JWTs on loopback, with discovery, keys that rotate, and counted requests. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";
import { type Clock, systemClock } from "#lib/clock";

interface IssuerKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

export interface TokenOptions {
  readonly typ?: string | undefined;
  readonly kid?: string;
  readonly lifetimeS?: number;
  readonly ageS?: number;
  readonly key?: IssuerKey;
}

export interface TokenIssuer {
  readonly issuer: string;
  /** Paths in the order of the requests. */
  readonly requests: string[];
  /** Changes the response of a path. */
  readonly answers: Map<string, { status?: number; headers?: Record<string, string>; body?: string }>;
  readonly current: IssuerKey;
  rotate(): Promise<void>;
  newKey(alg?: string): Promise<IssuerKey>;
  jwks(): { keys: JWK[] };
  /** Signs claims; `iss`, `aud`, `iat` and `exp` have defaults, and undefined omits a claim. */
  sign(claims: JWTPayload, options?: TokenOptions): Promise<string>;
  close(): Promise<void>;
}

export const AUDIENCE = "gatehouse";

export async function startTokenIssuer(clock: Clock = systemClock, issuerPath = ""): Promise<TokenIssuer> {
  const requests: string[] = [];
  const answers: TokenIssuer["answers"] = new Map();
  let keys: IssuerKey[] = [];
  let made = 0;
  const newKey = async (alg = "RS256"): Promise<IssuerKey> => {
    const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
    const kid = `key-${++made}`;
    return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } };
  };
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    requests.push(path);
    const { status = 200, headers = {}, body } = answers.get(path) ?? {};
    const known: Record<string, () => object> = {
      [`${issuerPath}/.well-known/openid-configuration`]: () => ({ issuer, jwks_uri: `${issuer}/keys` }),
      [`${issuerPath}/keys`]: () => ({ keys: keys.map(({ jwk }) => jwk) }),
    };
    const found = known[path]?.();
    const sent = body ?? (found ? JSON.stringify(found) : "{}");
    response.writeHead(body === undefined && !found ? 404 : status, { "content-type": "application/json", ...headers });
    response.end(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}${issuerPath}`; // a TCP address
  const current = () => {
    const [first] = keys;
    if (!first) throw new Error("the issuer has no key");
    return first;
  };
  const rotate = async () => {
    keys = [await newKey()];
  };
  await rotate();
  return {
    issuer,
    requests,
    answers,
    get current() {
      return current();
    },
    rotate,
    newKey,
    jwks: () => ({ keys: keys.map(({ jwk }) => jwk) }),
    async sign(claims, { typ = "JWT", kid, lifetimeS = 600, ageS = 0, key = current() } = {}) {
      const nowS = Math.floor(clock.now() / 1000);
      const all = { iss: issuer, aud: AUDIENCE, iat: nowS - ageS, exp: nowS - ageS + lifetimeS, ...claims };
      const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
      const header = { alg: key.alg, kid: kid ?? key.kid, ...(typ === "" ? {} : { typ }) };
      return new SignJWT(given).setProtectedHeader(header).sign(key.privateKey);
    },
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}
