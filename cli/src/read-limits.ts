import { badUsage } from "./failure.ts";
import { given } from "./read-json.ts";
import type { Options, Values } from "./verb.ts";

/** `whose`: the calls that are limited, such as "of each member". */
export function limitOptions(whose: string) {
  return {
    "calls-per-minute": {
      type: "text",
      hint: "n",
      description: `maximum calls per minute ${whose}; "none" removes the limit`,
    },
    "concurrent-calls": {
      type: "text",
      hint: "n",
      description: `maximum concurrent calls ${whose}; "none" removes the limit`,
    },
  } as const satisfies Options;
}

/** The limits that were given. The API checks their range. */
export function readLimits(options: Values<ReturnType<typeof limitOptions>>) {
  return given({
    calls_per_minute: readLimit("calls-per-minute", options["calls-per-minute"]),
    concurrent_calls: readLimit("concurrent-calls", options["concurrent-calls"]),
  });
}

function readLimit(name: string, value: string | undefined): number | null | undefined {
  if (value === undefined) return undefined;
  if (value === "none") return null;
  if (!/^\d{1,9}$/.test(value)) throw badUsage(`--${name} must be a number or "none".`);
  return Number(value);
}
