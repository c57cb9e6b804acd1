import { compileOutputSchema, fitOutputSchema } from "#guards/output-schema";
import type { Edit } from "#lib/json/splice";
import type { CheckedCall, CheckedResult, ServerEntry } from "./shape.ts";

type Validate = ReturnType<typeof compileOutputSchema>;

/** By the upstream's name of the tool; null if it declares no schema. */
const compiled = new WeakMap<ServerEntry, Map<string, Validate | null>>();

/** The edits of a result, without structured content that would no longer match the tool's `outputSchema`. */
export function fitTool(call: CheckedCall, result: CheckedResult, edits: readonly Edit[]): readonly Edit[] {
  if (edits.length === 0 || !result.members.has("structuredContent")) return edits;
  const validate = schemaOf(call);
  return validate ? fitOutputSchema(result.source, result.members, edits, validate) : edits;
}

function schemaOf({ server, item, method }: CheckedCall): Validate | null {
  if (item === undefined || method !== "tools/call") return null;
  let ofServer = compiled.get(server);
  if (ofServer === undefined) {
    ofServer = new Map();
    compiled.set(server, ofServer);
  }
  let validate = ofServer.get(item.upstreamName);
  if (validate === undefined) {
    const definition: { outputSchema?: unknown } = JSON.parse(
      server.tools.fragment.toString("utf8", item.start, item.end),
    );
    validate = definition.outputSchema === undefined ? null : compileOutputSchema(definition.outputSchema);
    ofServer.set(item.upstreamName, validate);
  }
  return validate;
}
