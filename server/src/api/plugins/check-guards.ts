import type { WriteInput } from "#api/kit/operation";

type CheckContent = WriteInput<object, object, object, unknown>["checkContent"];

/** Guards for these kinds also apply to their files, because a plugin can contain drafts that were never evaluated. */
const FOLDERS = [
  ["skill", ["skills/"]],
  ["command", ["commands/", ".cursor-plugin/commands/"]],
] as const;

/** Evaluates all texts of a release. Returns the warnings of guards. */
export async function checkPluginContent(
  checkContent: CheckContent,
  texts: Readonly<Record<string, string>>,
): Promise<string[]> {
  const warnings = await checkContent("plugin", texts);
  for (const [kind, folders] of FOLDERS) {
    const own = Object.entries(texts).filter(([path]) => folders.some((folder) => path.startsWith(folder)));
    if (own.length > 0) warnings.push(...(await checkContent(kind, Object.fromEntries(own))));
  }
  return [...new Set(warnings)];
}
