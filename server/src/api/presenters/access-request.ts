import { z } from "zod";
import { createdAt, isoTime, recordId, timestamp } from "#api/kit/answers";
import type { AccessRequest } from "#records/access-requests";

export const REQUEST_STATUSES = ["pending", "approved", "denied", "withdrawn"] as const;

/** F31. */
export const AccessRequestEntry = z
  .object({
    id: recordId("acr"),
    email: z.string().meta({ description: "Email of the requesting person", example: "ada@example.com" }),
    name: z.string().meta({ description: "Name of the person", example: "Ada Lovelace" }),
    server: z.string().meta({ description: "The server's slug", example: "github" }),
    server_name: z.string().meta({ description: "The server's name", example: "GitHub" }),
    tools: z
      .array(z.string())
      .meta({ description: "The requested tools, by name at the server. Empty: the whole server", example: [] }),
    reason: z
      .string()
      .meta({ description: "The reason that the person gave", example: "To file issues during on-call" }),
    status: z.enum(REQUEST_STATUSES).describe("`withdrawn`: by the person who asked"),
    note: z.string().nullable().describe("What the admin wrote about the decision"),
    group: z.string().nullable().describe("The group through which access was granted, by its name at that time"),
    decided_by: z.string().nullable().describe("Who decided"),
    decided_at: timestamp("When it was decided").nullable(),
    created_at: createdAt,
  })
  .meta({ id: "AccessRequest", description: "A request for access to a server or to some of its tools" });

export function presentRequest(request: AccessRequest): z.input<typeof AccessRequestEntry> {
  return {
    id: request.id,
    email: request.user_email,
    name: request.user_name,
    server: request.server_slug,
    server_name: request.server_name,
    tools: request.tool_names,
    reason: request.reason,
    status: request.status,
    note: request.message,
    group: request.group_name,
    decided_by: request.decided_by,
    decided_at: request.decided_at === null ? null : isoTime(request.decided_at),
    created_at: isoTime(request.created_at),
  };
}
