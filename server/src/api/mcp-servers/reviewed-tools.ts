import { Refusal, unknownReferences } from "#lib/errors";

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
