import type { WriteInput } from "#api/kit/operation";
import { definitionOf } from "#records/commands";
import type { CommandRow } from "#storage/command-tables";

type CheckContent = WriteInput<object, object, object, unknown>["checkContent"];

/** Evaluates a command that becomes active, or whose text changes while it is active. Returns the warnings of guards. */
export async function checkCommandContent(
  checkContent: CheckContent,
  before: CommandRow | undefined,
  after: CommandRow,
): Promise<string[]> {
  if (after.status !== "active") return [];
  const content = textOf(after);
  const isSame = before?.status === "active" && JSON.stringify(textOf(before)) === JSON.stringify(content);
  return isSame ? [] : checkContent("command", content);
}

function textOf(row: CommandRow) {
  const { description, argument_hint, arguments: declared } = definitionOf(row);
  return { name: row.name, description, content: row.content, arguments: declared, argument_hint };
}
