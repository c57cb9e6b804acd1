import type { CallLimits, Limits, ServerLimits } from "#gateway/snapshot/limits";
import type { Settings } from "#records/settings";
import type { CallLimitColumns } from "#storage/limit-tables";
import type { StoredServerLimits } from "#storage/server-tables";

const SECOND_MS = 1000;

/** The limits for all servers and users. */
export function compileLimits(settings: Settings): Limits {
  return {
    server: {
      concurrentCalls: settings.server_concurrent_calls,
      queuedCalls: settings.server_queued_calls,
      queueMs: settings.server_queue_seconds * SECOND_MS,
      failuresUntilPause: settings.server_failures_until_pause,
      pauseMs: settings.server_pause_seconds * SECOND_MS,
      firstByteMs: settings.server_first_byte_seconds * SECOND_MS,
      idleMs: settings.server_idle_seconds * SECOND_MS,
      totalMs: settings.server_total_seconds * SECOND_MS,
    },
    user: { concurrentCalls: settings.user_concurrent_calls, callsPerMinute: settings.user_calls_per_minute },
    payloadCapture: settings.payload_capture,
    ...(settings.payload_capture_until !== null && {
      payloadCaptureUntil: Date.parse(settings.payload_capture_until),
    }),
    approvalWaitMs: settings.approval_wait_seconds * SECOND_MS,
  };
}

const NAMES: Readonly<Record<keyof StoredServerLimits, readonly [keyof ServerLimits, unit: number]>> = {
  concurrent_calls: ["concurrentCalls", 1],
  queued_calls: ["queuedCalls", 1],
  queue_seconds: ["queueMs", SECOND_MS],
  failures_until_pause: ["failuresUntilPause", 1],
  pause_seconds: ["pauseMs", SECOND_MS],
  first_byte_seconds: ["firstByteMs", SECOND_MS],
  idle_seconds: ["idleMs", SECOND_MS],
  total_seconds: ["totalMs", SECOND_MS],
};

/** The limits of one server. Unknown names, from another release, are ignored. */
export function compileServerLimits(stored: StoredServerLimits | null | undefined): Partial<ServerLimits> | undefined {
  const known = Object.entries(NAMES).flatMap(([name, [limit, unit]]) => {
    const value: unknown = stored && Reflect.get(stored, name);
    return typeof value === "number" ? [[limit, value * unit]] : [];
  });
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

/** The limits of a group or a tool. Undefined: none. Rows of a snapshot that an earlier release stored have no such members. */
export function compileCallLimits({
  calls_per_minute: callsPerMinute,
  concurrent_calls: concurrentCalls,
}: Partial<CallLimitColumns>): CallLimits | undefined {
  if (!callsPerMinute && !concurrentCalls) return undefined;
  return { callsPerMinute: callsPerMinute ?? 0, concurrentCalls: concurrentCalls ?? 0 };
}
