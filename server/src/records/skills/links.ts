const MAX_REPORTED = 20;
/** Inline links and images of Markdown, without titles. */
const LINK = /\]\(\s*<?([^)\s>]+)>?/g;

/** Relative links of a Markdown text to files that the skill does not have. */
export function brokenLinks(markdown: string, paths: ReadonlySet<string>): string[] {
  const broken = new Set<string>();
  for (const [, target = ""] of withoutCode(markdown).matchAll(LINK)) {
    const path = relativePath(target);
    if (path === undefined || paths.has(path) || [...paths].some((known) => known.startsWith(`${path}/`))) continue;
    broken.add(target);
    if (broken.size === MAX_REPORTED) break;
  }
  return [...broken];
}

/** Undefined for links that leave the skill, and for links within the page. */
function relativePath(target: string): string | undefined {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/|#)/i.test(target)) return undefined;
  const [path = ""] = target.split(/[?#]/);
  try {
    return decodeURIComponent(path)
      .replace(/^(?:\.\/)+/, "")
      .replace(/\/+$/, "");
  } catch {
    return path;
  }
}

/** Examples in code are not links. */
function withoutCode(markdown: string): string {
  return markdown.replace(/^(```|~~~)[\s\S]*?^\1[^\n]*$/gm, "").replace(/`[^`\n]*`/g, "");
}
