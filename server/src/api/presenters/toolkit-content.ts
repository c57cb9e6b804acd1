import type { WriteInput } from "#api/kit/operation";
import type { ToolkitRow } from "#storage/toolkit-tables";

export type CheckContent = WriteInput<object, object, object, unknown>["checkContent"];

/** Families 1: build-time guards see a toolkit when it becomes active, and active ones when their content changes. */
export async function checkToolkitContent(
  checkContent: CheckContent,
  before: ToolkitRow | undefined,
  after: ToolkitRow,
): Promise<string[]> {
  if (after.status !== "active") return [];
  const content = contentOf(after);
  const isSame = before?.status === "active" && JSON.stringify(contentOf(before)) === JSON.stringify(content);
  return isSame ? [] : checkContent("toolkit", content);
}

function contentOf({ name, description, instructions, tools, prompts, resources }: ToolkitRow) {
  return { name, description, instructions, tools, prompts, resources };
}
