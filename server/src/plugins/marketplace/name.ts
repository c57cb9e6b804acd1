import { LONG_SLUG_MAX_LENGTH, slugFromName } from "#lib/slug";

/** Claude Code rejects marketplaces with these names, and names that look official. */
const RESERVED_NAMES: ReadonlySet<string> = new Set([
  "claude-code-marketplace",
  "claude-code-plugins",
  "claude-plugins-official",
  "anthropic-marketplace",
  "anthropic-plugins",
  "agent-skills",
  "knowledge-work-plugins",
  "life-sciences",
]);
const LOOKS_OFFICIAL = /^(official|anthropic|claude)-/;
const PREFIX = "org-";

/** The name of the organization's marketplace in clients, in kebab case. */
export function marketplaceName(orgName: string): string {
  const slug = slugFromName(orgName, "plugins", LONG_SLUG_MAX_LENGTH - PREFIX.length);
  return RESERVED_NAMES.has(slug) || LOOKS_OFFICIAL.test(slug) ? `${PREFIX}${slug}` : slug;
}
