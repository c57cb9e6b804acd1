import { z } from "zod";
import { choice, text } from "#api/kit/body-fields";
import { Refusal, unknownReferences } from "#lib/errors";

const MOST_TOOLS = 1_000;

export const CHANGE_KINDS = ["tool", "prompt", "resource", "resource_template", "instructions"] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** A tool, prompt, resource, template, or the instructions as reviewed. */
export interface Reviewable {
  readonly kind: ChangeKind;
  readonly name: string;
  readonly upstream_name: string;
  readonly digest: string;
}

/** The name in the API: the part of the gateway name after `__`, or the URI of a resource, or the URI template. */
export function reviewable<Row extends Pick<Reviewable, "upstream_name" | "digest"> & { readonly slug: string }>(
  row: Row,
  kind: ChangeKind,
): Row & Reviewable {
  return { ...row, kind, name: row.slug === "" ? row.upstream_name : row.slug };
}

/** The body of `acceptTools` and `rejectTools`. */
export function reviewedToolsBody(id: "AcceptTools" | "RejectTools", verb: "accept" | "reject") {
  const participle = `${verb}ed`;
  return z
    .object({
      tools: z
        .array(
          z.object({
            tool: text().describe(
              "The part of the gateway name of a tool or prompt after `__`, the URI of a resource, a URI template, or `instructions`",
            ),
            kind: choice(CHANGE_KINDS).optional().describe("Kind of the definition. Default: `tool`"),
            digest: text(64).describe("Digest of the reviewed definition, as returned by `listToolChanges`"),
          }),
          { error: "must be an array" },
        )
        .max(MOST_TOOLS, { error: `must hold at most ${MOST_TOOLS} tools` })
        .optional()
        .describe(`Definitions to ${verb}. If omitted, all changed ones are ${participle} in their current form`),
    })
    .meta({
      id,
      description: `Definitions to ${verb}. None is ${participle} if one is unknown or has changed again`,
      example: {
        tools: [{ tool: "create_issue", digest: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" }],
      },
    });
}

/** The definitions that an admin reviewed. Throws if one is unknown, or has changed after the review. */
export function findReviewed<Row extends Reviewable>(
  listed: readonly Row[],
  reviewed: readonly { readonly tool: string; readonly kind?: ChangeKind | undefined; readonly digest: string }[],
): Row[] {
  const keyOf = (kind: ChangeKind | undefined, name: string) => `${kind ?? "tool"} ${name}`;
  const byKey = new Map(listed.map((row) => [keyOf(row.kind, row.name), row]));
  const unknown = reviewed.filter(({ kind, tool }) => !byKey.has(keyOf(kind, tool))).map(({ tool }) => tool);
  if (unknown.length > 0) throw unknownReferences("Tools", [...new Set(unknown)]);
  return reviewed.flatMap(({ tool, kind, digest }) => {
    const found = byKey.get(keyOf(kind, tool));
    if (found && found.digest !== digest) {
      throw new Refusal("conflict", `tools: ${tool} has changed again. Review the new definition`);
    }
    return found ?? [];
  });
}

/** Items among the reviewed definitions, which are stored apart from tools. */
export function isItem<Row extends Reviewable>(row: Row): row is Row & { readonly kind: Exclude<ChangeKind, "tool"> } {
  return row.kind !== "tool";
}

/** How the audit log refers to a reviewed definition. */
export function auditedReview({ kind, name, digest }: Reviewable) {
  return { tool: name, ...(kind === "tool" ? {} : { kind }), digest };
}
