import { z } from "zod";
import type { ApiContext } from "#api/kit/api-context";
import { type Direction, GUARD_ACTIONS, type GuardDefinition } from "#guards/definition";
import { blockedText, CLEAN, type Evaluation, type GuardResult } from "#guards/evaluation";
import { type GuardSelection, GuardSet } from "#guards/guard-set";
import { contentPayload, type Payload, toolPayload } from "#guards/payload";
import { splice } from "#lib/json/splice";
import type { EvaluateFields } from "./evaluate-body.ts";

const Finding = z
  .object({
    check_id: z.string().meta({ description: "ID of the check", example: "pii-email" }),
    check_name: z.string().meta({ description: "Name of the check", example: "Email" }),
    certainty: z.int().meta({ description: "1 to 10", example: 9 }),
    path: z.string().meta({ description: "Where the text is, such as `content.0.text`", example: "content" }),
    start: z.int().describe("Offset of the first character, in UTF-16 units. 0 and 0: the finding is about everything"),
    end: z.int().describe("Offset after the last character"),
    excerpt: z.string().meta({ description: "The first two characters of the matched text and `…`", example: "ad…" }),
  })
  .meta({ id: "GuardFinding", description: "Something that a check found" });

export const GuardCheckResult = z
  .object({
    guard_slug: z.string().meta({ description: "The guard's slug", example: "email-addresses" }),
    guard_name: z.string().meta({ description: "The guard's name", example: "Email addresses" }),
    action: z.enum(GUARD_ACTIONS).describe("The guard's action"),
    passed: z.boolean().describe("Whether the guard has no objection"),
    score: z.int().describe("Highest certainty of a finding, also below the threshold; 0: no findings"),
    threshold: z.int().describe("The guard's threshold"),
    findings: z.array(Finding).describe("Findings at or above the threshold, at most 100"),
    finding_count: z.int().describe("Number of all findings at or above the threshold"),
    error: z
      .enum(["failed", "timeout", "oversize", "overloaded"])
      .optional()
      .describe("Why the content could not be examined completely; `on_error` of the guard decides"),
  })
  .meta({ id: "GuardCheckResult", description: "What one guard found" });

export const GuardDecision = z
  .object({
    passed: z.boolean().describe("Whether the content would pass without being blocked or held for approval"),
    results: z.array(GuardCheckResult).describe("The result of every guard that applies, in order of priority"),
    warnings: z.array(z.string()).describe("One sentence for each guard that warns"),
    blocks: z.array(z.string()).describe("One sentence for each guard that blocks or requires approval"),
    redactions: z
      .array(
        z.object({
          guard: z.string().describe("The guard's slug"),
          path: z.string().describe("Where the text is"),
          start: z.int().describe("Offset of the first character, in UTF-16 units"),
          end: z.int().describe("Offset after the last character"),
          replacement: z.string().describe("What the text is replaced with"),
        }),
      )
      .describe("Texts that are replaced"),
    content: z
      .union([z.string(), z.record(z.string(), z.unknown())])
      .nullable()
      .describe(
        "The content with its redactions. Null if it does not pass, or if it contains text that a guard found and does not redact",
      ),
  })
  .meta({ id: "GuardDecision", description: "The combined decision of all guards that apply" });

type Engine = Pick<ApiContext, "guards" | "clock">;
type CheckResult = z.input<typeof GuardCheckResult>;

export async function evaluateOne(
  { guards, clock }: Engine,
  definition: GuardDefinition,
  body: EvaluateFields,
): Promise<CheckResult> {
  const selection = new GuardSet([definition], clock).selectOne(definition.slug);
  const direction = body.direction ?? (definition.direction === "response" ? "response" : "request");
  const payload = payloadOf(body, direction);
  const context = { direction, tool: body.tool ?? undefined };
  const { results } = selection ? await guards.evaluate(selection, payload, context) : CLEAN;
  return resultOf(definition, results);
}

export async function evaluateAll(
  { guards }: Engine,
  selection: GuardSelection | undefined,
  body: EvaluateFields,
): Promise<z.input<typeof GuardDecision>> {
  const direction = body.direction ?? "request";
  const payload = payloadOf(body, direction);
  const context = { direction, tool: body.tool ?? undefined };
  const evaluation = selection ? await guards.evaluate(selection, payload, context) : CLEAN;
  const definitions = selection?.guards.map(({ definition }) => definition) ?? [];
  const results = definitions.map((definition) => resultOf(definition, evaluation.results));
  const passed = evaluation.action !== "block" && evaluation.action !== "require_approval";
  const objecting = results.filter((result) => !result.passed);
  const blocks = objecting
    .filter((result) => isBlock(result, definitions))
    .map((result) => `blocked by ${nameOf(result)}`);
  return {
    passed,
    results,
    warnings: objecting.filter(({ action }) => action === "warn").map((result) => `warning of ${nameOf(result)}`),
    // Content that cannot be examined at all is blocked without naming a guard.
    blocks: passed || blocks.length > 0 ? blocks : [blockedText(evaluation)],
    redactions: evaluation.redactions.map((redaction) => ({ ...redaction })),
    content: passed && objecting.every(({ action }) => action === "redact") ? redacted(payload, evaluation) : null,
  };
}

/** The definition of a tool is examined like one that a server lists. */
function payloadOf({ content, entity_type, direction: given }: EvaluateFields, direction: Direction): Payload {
  if (entity_type === "tool" && given == null && typeof content === "object") {
    return toolPayload(content, { otherTools: new Set(), changed: false });
  }
  return contentPayload(content, direction);
}

/** The engine reports only guards with findings or errors. */
function resultOf({ slug, name, action, threshold }: GuardDefinition, results: readonly GuardResult[]): CheckResult {
  const found = results.find(({ guard_slug }) => guard_slug === slug);
  if (found) return { ...found, findings: found.findings.map((finding) => ({ ...finding })) };
  const clean = { passed: true, score: 0, findings: [], finding_count: 0 };
  return { guard_slug: slug, guard_name: name, action, threshold, ...clean };
}

/** A guard with an error blocks if its `on_error` says so, whatever its action is. */
function isBlock({ action, guard_slug, error }: CheckResult, definitions: readonly GuardDefinition[]): boolean {
  if (action === "block" || action === "require_approval") return true;
  return error !== undefined && definitions.find(({ slug }) => slug === guard_slug)?.on_error === "block";
}

function nameOf({ guard_slug, findings, error }: CheckResult): string {
  return `guard ${guard_slug} (${findings[0]?.check_name ?? error ?? "no finding"})`;
}

function redacted({ source }: Payload, { edits }: Evaluation): string | Record<string, unknown> {
  // The payload was written from a text or an object, and edits keep its form.
  return JSON.parse(splice(source, edits).toString("utf8")) as string | Record<string, unknown>;
}
