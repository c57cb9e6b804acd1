import type { WriteInput } from "#api/kit/operation";
import { readBlobs } from "#records/file-blobs";
import { byPath, filesOfVersion } from "#records/skills";
import type { MainTransaction } from "#storage/database";
import type { SkillRow } from "#storage/skill-tables";

type CheckContent = WriteInput<object, object, object, unknown>["checkContent"];

/**
 * Evaluates all text files of a skill that becomes active, or whose content changes while it is active. Call it in the
 * transaction that saves the skill. Returns the warnings of guards.
 */
export async function checkSkillContent(
  tx: MainTransaction,
  checkContent: CheckContent,
  before: SkillRow | undefined,
  after: SkillRow,
): Promise<string[]> {
  const isChanged = before?.status !== "active" || before.version !== after.version;
  if (after.status !== "active" || !isChanged) return [];
  const files = (await filesOfVersion(tx, after.id, after.version)).filter((file) => file.is_text).toSorted(byPath);
  const content: Record<string, string> = {};
  for await (const file of readBlobs(tx, files)) content[file.path] = Buffer.from(file.content).toString("utf8");
  return checkContent("skill", content);
}
