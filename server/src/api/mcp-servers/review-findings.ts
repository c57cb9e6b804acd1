import { z } from "zod";
import type { ApiContext } from "#api/kit/api-context";
import { contentPayload, toolPayload } from "#guards/payload";
import type { MainDb } from "#storage/database";
import { withName } from "#sync/guard-definitions";
import type { ChangeKind } from "./reviewed-tools.ts";

export const ReviewFinding = z
  .object({
    guard_slug: z.string().meta({ description: "The guard's slug", example: "tool-poisoning" }),
    guard_name: z.string().meta({ description: "The guard's name", example: "Tool poisoning" }),
    check: z.string().meta({ description: "The name of its check", example: "Tool poisoning" }),
    certainty: z.int().meta({ description: "1 to 10", example: 9 }),
    field: z.string().meta({ description: "Path of the text in the current definition", example: "description" }),
    start: z.int().describe("Offset of the first character, in UTF-16 units. 0 and 0: the whole definition"),
    end: z.int().describe("Offset after the last character"),
  })
  .meta({ id: "ReviewFinding", description: "Text in a definition that a guard objects to" });

interface Definition {
  readonly kind: ChangeKind;
  readonly upstream_name: string;
  readonly definition: string;
}

const NO_TOOLS = { otherTools: new Set<string>(), changed: false };

/** What guards find in the definition, for display. Nothing is stored or counted. */
export async function findingsIn(
  db: MainDb,
  { contentGuards, guards: engine, nextTurn }: Pick<ApiContext, "contentGuards" | "guards" | "nextTurn">,
  row: Definition,
): Promise<z.input<typeof ReviewFinding>[]> {
  const isTool = row.kind === "tool";
  const selection = await contentGuards.selectForReview(db, isTool ? "tool" : "mcp_server");
  if (selection === undefined) return [];
  await nextTurn();
  const payload = isTool ? toolPayload(withName(row), NO_TOOLS) : contentPayload(withName(row));
  const { results } = await engine.evaluate(selection, payload, { direction: "request" });
  return results.flatMap(({ guard_slug, guard_name, findings }) =>
    findings.map(({ check_name: check, certainty, path: field, start, end }) => {
      return { guard_slug, guard_name, check, certainty, field, start, end };
    }),
  );
}
