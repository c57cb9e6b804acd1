import { type GatewayContext, MAX_LOGGED_NAME, type McpRequest } from "../request.ts";
import type { CallLimits } from "../snapshot/limits.ts";
import { resolve } from "../snapshot/resolve.ts";
import type { GroupEntry } from "../snapshot/shape.ts";
import type { CallCount, Shortage } from "./call-limiter.ts";
import type { Forwarding } from "./forwarding.ts";

export interface CallRefusal {
  readonly message: string;
  readonly retrySeconds: number;
}

/**
 * The places of one call in the limits of its group and its tool (decision 0077). It keeps them until it ends, also while
 * it is held, because the upstream works on it until then. While it waits for an approval, it has none.
 */
export class CallSlots {
  #limited: readonly Limited[];
  #paused = false;

  constructor(limited: readonly Limited[]) {
    this.#limited = limited;
  }

  release(): void {
    if (!this.#paused) for (const { count } of this.#limited) count.release();
    this.#limited = [];
  }

  pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    for (const { count } of this.#limited) count.release();
  }

  /** False if other calls have taken all places. The call was counted against rates before. */
  resume(): boolean {
    const isFull = ({ count, limits: { concurrentCalls: most } }: Limited) =>
      most > 0 && count.inFlight + count.inFlightElsewhere >= most;
    if (this.#limited.some(isFull)) return false;
    this.#paused = false;
    for (const { count } of this.#limited) count.inFlight++;
    return true;
  }
}

interface Limited {
  readonly count: CallCount;
  readonly limits: CallLimits;
}

/** Undefined if neither the group nor the tool has limits, which costs two comparisons for a tool. */
export function takeSlots(
  request: McpRequest,
  context: GatewayContext,
  to: Forwarding,
): CallSlots | CallRefusal | undefined {
  const { toolLimits, through } = to;
  if (!toolLimits && through && !through.limits) return undefined;
  const group = through && !through.limits ? undefined : groupWithRoom(request, context, to);
  if (group && "message" in group) return group;
  const tool = toolLimits && toolWithRoom(context, to, toolLimits);
  if (tool && "message" in tool) return tool;
  const limited = [group, tool].filter((each) => each !== undefined);
  for (const { count, limits } of limited) context.callLimiter.count(count, limits);
  return limited.length === 0 ? undefined : new CallSlots(limited);
}

/** The call counts for the first of the granting groups that has room. A group without limits always has room. */
function groupWithRoom(
  { principal, scope }: McpRequest,
  { callLimiter, holder }: GatewayContext,
  { server, method, tool }: Forwarding,
): Limited | CallRefusal | undefined {
  const snapshot = holder.current();
  const user = snapshot.usersById.get(principal.userId) ?? principal.user;
  const resolution = resolve(snapshot, { ...principal, user }, scope);
  const groups = resolution.groupsThrough(server, method === "tools/call" ? tool : undefined);
  if (groups.some((group) => !group.limits)) return undefined;
  let refusal: CallRefusal | undefined;
  for (const { id, limits } of groups) {
    if (!limits) continue;
    const count = callLimiter.of(`${principal.userId} ${id}`);
    const shortage = callLimiter.shortage(count, limits);
    if (!shortage) return { count, limits };
    if (!refusal || shortage.retrySeconds < refusal.retrySeconds) refusal = groupRefusal(limits, shortage);
  }
  return refusal;
}

function toolWithRoom(
  { callLimiter }: GatewayContext,
  { server, tool = "" }: Forwarding,
  limits: CallLimits,
): Limited | CallRefusal {
  const count = callLimiter.of(`tool ${server.id} ${tool}`);
  const shortage = callLimiter.shortage(count, limits);
  if (!shortage) return { count, limits };
  const { limit, value, retrySeconds } = shortage;
  const message = `Tool ${tool.slice(0, MAX_LOGGED_NAME)} of ${server.name} allows ${amount(value, limit)} from all users together`;
  return { message: `${message}; ${retryText(shortage, "one of them has ended")}`, retrySeconds };
}

function groupRefusal({ groupName }: NonNullable<GroupEntry["limits"]>, shortage: Shortage): CallRefusal {
  const { limit, value, retrySeconds } = shortage;
  const message = `Group ${groupName} allows ${amount(value, limit)} per member`;
  return { message: `${message}; ${retryText(shortage, "one of your calls has ended")}`, retrySeconds };
}

function amount(value: number, limit: Shortage["limit"]): string {
  return value === 1 ? `1 ${limit.replace("calls", "call")}` : `${value} ${limit}`;
}

function retryText({ limit, retrySeconds }: Shortage, ended: string): string {
  return limit === "concurrent calls" ? `try again when ${ended}` : `try again in ${retrySeconds} s`;
}
