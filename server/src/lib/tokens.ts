import { crc32 } from "node:zlib";
import { type RandomBytes, randomBase62, toBase62 } from "./random.ts";

/**
 * Gatehouse credentials have the form `gh_<kind>_…<checksum>`: secret scanners recognize the prefix, and mistyped or
 * invented ones fail the checksum without a lookup. None contains a colon (Spec 5.3).
 */
const CHECKSUM_LENGTH = 6;
const SECRET_LENGTH = 43; // 256 bits in base 62

export const ACCESS_KEY_PREFIX = "gh_ak_";
/** Tokens without a public part. */
const SECRET_PREFIXES = {
  machineSecret: "gh_sk_",
  apiToken: "gh_at_",
  invitation: "gh_iv_",
  setup: "gh_su_",
  webSession: "gh_ws_",
  connectLink: "gh_cl_",
  exchangeRefresh: "gh_xr_",
  agentHook: "gh_ah_",
} as const;
/**
 * Tokens of people's MCP clients, of the app, for tokens of trusted issuers, of agents' sessions, and for git and scripts
 * of people.
 */
const GATEWAY_TOKEN_PREFIXES = {
  oauth: "gh_oa_",
  app: "gh_ap_",
  exchange: "gh_ex_",
  agent: "gh_ag_",
  library: "gh_lt_",
} as const;
export type GatewayTokenKind = keyof typeof GATEWAY_TOKEN_PREFIXES;

export const {
  apiToken: API_TOKEN_PREFIX,
  webSession: WEB_SESSION_PREFIX,
  exchangeRefresh: EXCHANGE_REFRESH_PREFIX,
} = SECRET_PREFIXES;
export const { exchange: EXCHANGE_TOKEN_PREFIX } = GATEWAY_TOKEN_PREFIXES;

/** Matches the secret part of every token in a text (SEC-10). The access key of a gateway token is not secret. */
export const TOKEN_PATTERN = [
  `(?:${Object.values(SECRET_PREFIXES).join("|")})[0-9A-Za-z_]+`,
  `(?:${Object.values(GATEWAY_TOKEN_PREFIXES).join("|")})[0-9A-Za-z]{20}_[0-9A-Za-z]+`,
].join("|");

export function newAccessKey(random: RandomBytes): string {
  return `${ACCESS_KEY_PREFIX}${randomBase62(random, 20)}`;
}

export function newMachineSecret(random: RandomBytes): string {
  return withChecksum(`${SECRET_PREFIXES.machineSecret}${randomBase62(random, SECRET_LENGTH)}`);
}

export function newApiToken(random: RandomBytes): string {
  return withChecksum(`${API_TOKEN_PREFIX}${randomBase62(random, 12)}_${randomBase62(random, SECRET_LENGTH)}`);
}

const API_TOKEN = new RegExp(`^(${API_TOKEN_PREFIX}[0-9A-Za-z]{12})_`);

/** The part of an API token that identifies it and is not secret. Null: a token of another form, set by the operator. */
export function apiTokenPrefix(token: string): string | null {
  return API_TOKEN.exec(token)?.[1] ?? null;
}

/** `<prefix>_<id>_<secret><checksum>`; the part before the secret is the access key, which is not secret. */
export function newGatewayToken(random: RandomBytes, kind: GatewayTokenKind): { accessKey: string; token: string } {
  const accessKey = `${GATEWAY_TOKEN_PREFIXES[kind]}${randomBase62(random, 20)}`;
  return { accessKey, token: withChecksum(`${accessKey}_${randomBase62(random, SECRET_LENGTH)}`) };
}

const GATEWAY_TOKEN = new RegExp(
  `^((?:${Object.values(GATEWAY_TOKEN_PREFIXES).join("|")})[0-9A-Za-z]{20})_[0-9A-Za-z]{49}$`,
);

/** The access key of a gateway token; undefined if it is not one. */
export function accessKeyOf(token: string): string | undefined {
  return GATEWAY_TOKEN.exec(token)?.[1];
}

/** Signs requests to the inbound webhook of an agent. */
export function newAgentHookSecret(random: RandomBytes): string {
  return withChecksum(`${SECRET_PREFIXES.agentHook}${randomBase62(random, SECRET_LENGTH)}`);
}

export function newInvitationToken(random: RandomBytes): string {
  return withChecksum(`${SECRET_PREFIXES.invitation}${randomBase62(random, SECRET_LENGTH)}`);
}

export function newSetupToken(random: RandomBytes): string {
  return withChecksum(`${SECRET_PREFIXES.setup}${randomBase62(random, SECRET_LENGTH)}`);
}

export function newWebSessionToken(random: RandomBytes): string {
  return withChecksum(`${WEB_SESSION_PREFIX}${randomBase62(random, SECRET_LENGTH)}`);
}

export function newConnectLinkToken(random: RandomBytes): string {
  return withChecksum(`${SECRET_PREFIXES.connectLink}${randomBase62(random, SECRET_LENGTH)}`);
}

export function newExchangeRefreshToken(random: RandomBytes): string {
  return withChecksum(`${EXCHANGE_REFRESH_PREFIX}${randomBase62(random, SECRET_LENGTH)}`);
}

export function hasValidChecksum(token: string): boolean {
  if (token.length <= CHECKSUM_LENGTH) return false;
  const body = token.slice(0, -CHECKSUM_LENGTH);
  return withChecksum(body) === token;
}

function withChecksum(body: string): string {
  return body + toBase62(crc32(body), CHECKSUM_LENGTH);
}
