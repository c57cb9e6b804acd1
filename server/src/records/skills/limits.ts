/** Limits of the skills extension of MCP: including SKILL.md. */
export const MAX_SKILL_FILES = 512;
export const MAX_SKILL_BYTES = 16 * 1024 * 1024;
export const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** Every list of skills contains the front matter. */
export const MAX_FRONT_MATTER_BYTES = 16 * 1024;
/** Models read the whole file. */
export const MAX_SKILL_MD_BYTES = 1024 * 1024;
export const MAX_DESCRIPTION = 1_024;
export const MAX_COMPATIBILITY = 500;
export const MAX_NAME = 64;
export const MAX_PATH = 512;
/** Longer instructions belong into separate files, which models read when they need them. */
export const ADVISED_LINES = 500;

export { SKILL_MD } from "#lib/skill-uri";

/** Folders count too. */
export const ARCHIVE_LIMITS = {
  maxEntries: 2_048,
  maxFileBytes: MAX_FILE_BYTES,
  maxBytes: MAX_SKILL_BYTES,
  maxRatio: 100,
};
