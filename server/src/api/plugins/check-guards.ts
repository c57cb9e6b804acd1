import type { WriteInput } from "#api/kit/operation";

type CheckContent = WriteInput<object, object, object, unknown>["checkContent"];

/**
 * Evaluates all texts of a release. Guards for skills also apply to the skills in it, because those can be drafts that
 * were never evaluated. Returns the warnings of guards.
 */
export async function checkPluginContent(
  checkContent: CheckContent,
  texts: Readonly<Record<string, string>>,
): Promise<string[]> {
  const warnings = await checkContent("plugin", texts);
  const skills = Object.entries(texts).filter(([path]) => path.startsWith("skills/"));
  if (skills.length > 0) warnings.push(...(await checkContent("skill", Object.fromEntries(skills))));
  return [...new Set(warnings)];
}
