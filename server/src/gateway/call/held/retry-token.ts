/**
 * The `requestState` of a held call: a sealed token that is valid for one user, server, item and round, and names the
 * process that holds the call.
 */

import type { McpRequest } from "../../mcp-request.ts";
import type { Replicas, SessionSeal } from "../../session-ports.ts";
import type { Forwarding } from "../forwarding.ts";

const PREFIX = "gatehouse-call.";
/** Valid tokens are far shorter, except for their resource URI. */
const MAX_TOKEN_LENGTH = 16_384;

interface TokenNeeds {
  readonly seal: SessionSeal;
  readonly replicas: Replicas | undefined;
}

interface TokenCall {
  readonly request: McpRequest;
  readonly to: Forwarding;
}

export interface RetryToken {
  readonly id: string;
  readonly round: number;
  /** The process that holds the call; undefined: this one. */
  readonly process: string | undefined;
}

/** Only `tokenOf` can seal one. */
type SealedFields = [
  userId: string,
  serverId: string,
  method: string,
  item: string,
  id: string,
  round: number,
  process: string,
];

export function isRetryToken(requestState: string): boolean {
  return requestState.startsWith(PREFIX);
}

export function tokenOf({ seal, replicas }: TokenNeeds, id: string, round: number, call: TokenCall): string {
  const fields: SealedFields = [...bindingOf(call), id, round, replicas?.id ?? ""];
  return `${PREFIX}${seal.seal(JSON.stringify(fields))}`;
}

/** Undefined for an invalid token and for one of another user or item, without a difference. */
export function readToken({ seal, replicas }: TokenNeeds, token: string, call: TokenCall): RetryToken | undefined {
  const text = token.length > MAX_TOKEN_LENGTH ? undefined : seal.open(token.slice(PREFIX.length));
  if (text === undefined) return undefined;
  const fields = JSON.parse(text) as SealedFields;
  const [, , , , id, round, process] = fields;
  if (!bindingOf(call).every((value, at) => value === fields[at])) return undefined;
  return { id, round, process: process === (replicas?.id ?? "") ? undefined : process };
}

function bindingOf({ request, to }: TokenCall): [string, string, string, string] {
  return [request.principal.userId, to.server.id, to.method, to.name ?? to.uri ?? ""];
}

/** Where other processes send requests that continue calls of this process. */
export function mailboxOf(process: string): string {
  return `held-${process}`;
}
