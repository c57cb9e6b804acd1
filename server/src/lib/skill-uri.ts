export const SKILL_SCHEME = "skill://";
export const SKILL_MD = "SKILL.md";

/** Slashes separate segments; everything else that has a meaning in URIs is encoded. */
export function skillUri(slug: string, path: string): string {
  return `${SKILL_SCHEME}${slug}/${path.split("/").map(encodeURIComponent).join("/")}`;
}

/** The first segment of a `skill://` URI and the path after it, decoded. Undefined for other URIs. */
export function parseSkillUri(uri: string): { readonly slug: string; readonly path: string } | undefined {
  if (!uri.startsWith(SKILL_SCHEME)) return undefined;
  const [slug = "", ...segments] = uri.slice(SKILL_SCHEME.length).split("/");
  try {
    return { slug, path: segments.map(decodeURIComponent).join("/") };
  } catch {
    return undefined;
  }
}
