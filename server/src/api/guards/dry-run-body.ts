import { z } from "zod";
import { text } from "#api/kit/body-fields";
import { CreateGuardBody } from "./schema.ts";

export const MOST_CALLS = 10_000;
const DEFAULT_CALLS = 1_000;
const LIMIT_ERROR = `must be an integer from 1 to ${MOST_CALLS}`;

function time(field: string) {
  const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;
  return z
    .string({ error: (issue) => (issue.input === undefined ? `${field} is required` : "must be an ISO 8601 time") })
    .refine((value) => ISO.test(value) && !Number.isNaN(Date.parse(value)), { error: "must be an ISO 8601 time" });
}

const fields = {
  guard_slug: text(64).nullish().describe("The guard to try, also if it is disabled"),
  from: time("from").meta({ description: "Only calls at or after this time", format: "date-time" }),
  to: time("to").meta({ description: "Only calls before this time", format: "date-time" }),
  limit: z
    .int({ error: LIMIT_ERROR })
    .min(1, { error: LIMIT_ERROR })
    .max(MOST_CALLS, { error: LIMIT_ERROR })
    .default(DEFAULT_CALLS)
    .describe(`Maximum number of calls, the newest first. Default: ${DEFAULT_CALLS}`),
};

export const DryRunBody = z.object({
  ...fields,
  guard: z.record(z.string(), z.unknown(), { error: "must be an object" }).nullish(),
});

/** For the document only. */
export const DryRunDocument = z
  .object({
    ...fields,
    limit: fields.limit.optional(),
    guard: CreateGuardBody.optional().describe("A guard that is not saved, instead of `guard_slug`"),
  })
  .meta({
    id: "DryRunGuard",
    description: "A guard, and the period whose calls it examines",
    example: { guard_slug: "payment-cards", from: "2027-01-24T00:00:00Z", to: "2027-01-31T00:00:00Z" },
  });

export const DryRun = z
  .object({
    calls_examined: z.int().describe("Calls whose payload was examined"),
    calls_without_payload: z.int().describe("Calls of the period whose payload is not stored"),
    would: z
      .object({
        block: z.int().describe("Calls that would be blocked"),
        require_approval: z.int().describe("Calls that would wait for an approval"),
        redact: z.int().describe("Calls whose text would be replaced"),
        warn: z.int().describe("Calls that would pass with a warning"),
        log: z.int().describe("Calls that would only be logged"),
      })
      .describe("What the guard would have done, by call"),
    by_tool: z
      .array(
        z.object({
          tool: z.string().meta({ description: "Gateway name of the tool", example: "github__create_issue" }),
          count: z.int().describe("Calls on which the guard would have acted"),
        }),
      )
      .describe("The tools with the most such calls, at most 100"),
    by_user: z
      .array(
        z.object({
          email: z.string().meta({ description: "The caller", example: "ada@example.com" }),
          count: z.int().describe("Calls on which the guard would have acted"),
        }),
      )
      .describe("The callers with the most such calls, at most 100"),
    samples: z
      .array(
        z.object({
          log_id: z.string().meta({ description: "The log entry of the call", example: "1798709400000-4711" }),
          check_id: z.string().describe("The check with the most certain finding; empty if the call was not examined"),
          certainty: z.int().describe("1 to 10; 0 if the call was not examined"),
          path: z.string().describe("Where the text is. Names that could be data are replaced with `*`"),
        }),
      )
      .describe("Up to 50 such calls, the newest first"),
  })
  .meta({ id: "GuardDryRun", description: "What a guard would have done with the calls of a period" });
