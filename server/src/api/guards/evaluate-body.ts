import { z } from "zod";
import { choice, text } from "#api/kit/body-fields";
import { ENTITY_TYPES } from "#guards/definition";
import { CreateGuardBody } from "./schema.ts";

const content = z
  .unknown()
  .superRefine((value, context) => {
    if (value === undefined) context.addIssue("content is required");
    else if (typeof value !== "string" && (typeof value !== "object" || value === null || Array.isArray(value)))
      context.addIssue("must be a string or an object");
  })
  .describe("A text, the arguments of a call, or its result");

const fields = {
  content,
  entity_type: choice(ENTITY_TYPES).nullish().describe("Evaluates the enabled build-time guards for this content"),
  direction: choice(["request", "response"])
    .nullish()
    .describe("Evaluates the enabled runtime guards for this part of a call"),
  tool: text(1_024).nullish().describe("The name of the tool at the gateway, such as `github__create_issue`"),
  server: text(64).nullish().describe("Slug of the MCP server. Default: from `tool`"),
  email: text(320).nullish().describe("The calling user. Without it, only guards for all users apply"),
  guard_id: text(64).nullish().describe("Evaluates only this guard, even if it is disabled, regardless of its scope"),
  guard_slug: text(64).nullish().describe("Like `guard_id`, by slug"),
};

export const EvaluateBody = z.object({
  ...fields,
  guard: z.record(z.string(), z.unknown(), { error: "must be an object" }).nullish(),
});

export type EvaluateFields = z.output<typeof EvaluateBody>;

/** For the document only. */
export const EvaluateDocument = z
  .object({
    ...fields,
    content: z
      .union([z.string(), z.record(z.string(), z.unknown())])
      .describe("A text, the arguments of a call, or its result"),
    guard: CreateGuardBody.optional().describe("Evaluates this guard, which is not saved"),
  })
  .meta({
    id: "EvaluateGuards",
    description: "Content to evaluate, and the guards to evaluate it with",
    example: { content: "Call me at +1 202 555 0143", guard_slug: "phone-numbers" },
  });
