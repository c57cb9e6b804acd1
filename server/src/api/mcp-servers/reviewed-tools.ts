import { z } from "zod";
import { text } from "#api/kit/body-fields";
import { Refusal, unknownReferences } from "#lib/errors";

const MOST_TOOLS = 1_000;

/** The body of `acceptTools` and `rejectTools`. */
export function reviewedToolsBody(id: "AcceptTools" | "RejectTools", verb: "accept" | "reject") {
  const participle = `${verb}ed`;
  return z
    .object({
      tools: z
        .array(
          z.object({
            tool: text().describe("The part of the tool's gateway name after `__`"),
            digest: text(64).describe("Digest of the reviewed definition, as returned by `listToolChanges`"),
          }),
          { error: "must be an array" },
        )
        .max(MOST_TOOLS, { error: `must hold at most ${MOST_TOOLS} tools` })
        .optional()
        .describe(`Tools to ${verb}. If omitted, all changed tools are ${participle} in their current form`),
    })
    .meta({
      id,
      description: `Tools to ${verb}. None is ${participle} if one is unknown or has changed again`,
      example: {
        tools: [{ tool: "create_issue", digest: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" }],
      },
    });
}

/** The tools that an admin reviewed. Throws if one is unknown, or has changed after the review. */
export function findReviewed<Tool extends { readonly slug: string; readonly digest: string }>(
  listed: readonly Tool[],
  reviewed: readonly { readonly tool: string; readonly digest: string }[],
): Tool[] {
  const bySlug = new Map(listed.map((tool) => [tool.slug, tool]));
  const unknown = reviewed.filter(({ tool }) => !bySlug.has(tool)).map(({ tool }) => tool);
  if (unknown.length > 0) throw unknownReferences("Tools", [...new Set(unknown)]);
  return reviewed.flatMap(({ tool, digest }) => {
    const found = bySlug.get(tool);
    if (found && found.digest !== digest) {
      throw new Refusal("conflict", `tools: ${tool} has changed again. Review the new definition`);
    }
    return found ?? [];
  });
}
