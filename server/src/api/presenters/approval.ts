import { z } from "zod";
import { createdAt, isoTime, recordId, timestamp } from "#api/kit/answers";
import { type ListedApproval, reasonOf } from "#records/approvals";
import { APPROVAL_STATUSES } from "#storage/approval-tables";

const callFields = {
  id: recordId("apr"),
  status: z
    .enum(APPROVAL_STATUSES)
    .describe("`expired`: no decision in time. An approved call is used up when `used_at` is set"),
  user_email: z.string().meta({ description: "Email of the caller", example: "ada@example.com" }),
  server_slug: z.string().meta({ description: "The MCP server", example: "github" }),
  server_name: z.string().meta({ description: "Display name of the server", example: "GitHub" }),
  tool: z.string().meta({ description: "The tool or prompt, by its name at the server", example: "delete_repository" }),
  guard_name: z.string().meta({ description: "Display name of the guard that holds the call", example: "Deletions" }),
};

const decisionFields = {
  created_at: createdAt,
  expires_at: timestamp(
    "Until when a pending approval can be decided, or the decision applies to calls with identical arguments",
  ),
  decided_at: timestamp("When it was decided").nullable(),
  note: z.string().nullable().describe("What the person who decided wrote"),
  used_at: timestamp("When an approved call continued. An approval is used once").nullable(),
};

/** F39, without the arguments. */
export const ApprovalEntry = z
  .object({
    ...callFields,
    method: z.string().meta({ description: "The MCP method", example: "tools/call" }),
    guard_slug: z.string().meta({ description: "The guard that holds the call", example: "deletions" }),
    check_names: z.array(z.string()).meta({ description: "The checks that fired", example: ["Repository"] }),
    reason: z.string().meta({
      description: "Why the call was held, without any matched text",
      example: 'Guard "Deletions" found: Repository',
    }),
    arguments_bytes: z.int().meta({ description: "Size of the arguments", example: 120 }),
    request_id: z.string().describe("The request ID of the first call that was held"),
    decided_by: z.string().nullable().describe("Who decided"),
    ...decisionFields,
  })
  .meta({ id: "ApprovalEntry", description: "A call that a guard held until a person approves it" });

/** What callers see. */
export const MyApproval = z
  .object({ ...callFields, ...decisionFields })
  .meta({ id: "MyApproval", description: "A call of the person, or of a machine user they own, that a guard held" });

/** The job that expires approvals runs once a minute. */
export function statusOf(
  { status, expires_at: expiresAt }: Pick<ListedApproval, "status" | "expires_at">,
  now: number,
) {
  return status === "pending" && expiresAt <= now ? "expired" : status;
}

export function presentMyApproval(row: ListedApproval, now: number): z.input<typeof MyApproval> {
  const { id, user_email, server_slug, server_name, tool, guard_name, note } = row;
  const time = (at: number | null) => (at === null ? null : isoTime(at));
  return {
    ...{ id, status: statusOf(row, now), user_email, server_slug, server_name, tool, guard_name, note },
    created_at: isoTime(row.created_at),
    expires_at: isoTime(row.expires_at),
    decided_at: time(row.decided_at),
    used_at: time(row.consumed_at),
  };
}

export function presentApproval(row: ListedApproval, now: number): z.input<typeof ApprovalEntry> {
  const { method, guard_slug, check_names, arguments_bytes, request_id, decided_by } = row;
  return {
    ...presentMyApproval(row, now),
    ...{ method, guard_slug, check_names, reason: reasonOf(row), arguments_bytes, request_id, decided_by },
  };
}
