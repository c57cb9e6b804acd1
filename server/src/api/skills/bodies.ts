import { z } from "zod";
import { choice, flag, requiredText, text } from "#api/kit/body-fields";
import { MAX_COMPATIBILITY, MAX_DESCRIPTION, MAX_PATH, MAX_SKILL_FILES } from "#records/skills";

/** F42: an archive of 16 MiB in base64 fits. */
export const SKILL_BODY_BYTES = 24 * 1024 * 1024;
const MAX_TEXT = 4 * 1024 * 1024;
const MAX_ENTRIES = 100;

const file = z.object(
  {
    path: requiredText("path", MAX_PATH).describe("Relative path, with slashes"),
    content: z
      .string({ error: "must be a string" })
      .max(MAX_TEXT, { error: "must be at most 4 MiB" })
      .refine((value) => value.isWellFormed(), { error: "must be well-formed text" })
      .optional()
      .describe("The content as text"),
    content_base64: z.string({ error: "must be a string" }).optional().describe("The content in base64"),
    digest: text(80).optional().describe("Instead of the content: the digest of a file that the skill has"),
    executable: flag().optional().describe("Whether it is executable in downloads. Default: false"),
  },
  { error: "must be an object" },
);

const FIELDS = {
  name: requiredText("name").describe("Lowercase letters, digits and hyphens; the slug"),
  description: requiredText("description", MAX_DESCRIPTION).describe("What the skill does and when to use it"),
  license: text(500).nullish().describe("The license, or the name of a file with it"),
  compatibility: text(MAX_COMPATIBILITY).nullish().describe("What the skill requires of its environment"),
  metadata: z
    .record(text(200), text(2_000), { error: "must be an object of texts" })
    .refine((values) => Object.keys(values).length <= MAX_ENTRIES, {
      error: `must have at most ${MAX_ENTRIES} entries`,
    })
    .nullish()
    .describe("Further names and texts of the front matter"),
  allowed_tools: z
    .array(
      text(200).refine((tool) => tool.trim() !== "", { error: "must not be empty" }),
      { error: "must be an array" },
    )
    .max(MAX_ENTRIES, { error: `must contain at most ${MAX_ENTRIES} tools` })
    .nullish()
    .describe("Tools that clients may use without asking"),
  content: z
    .string({ error: (issue) => (issue.input === undefined ? "content is required" : "must be a string") })
    .refine((value) => value.trim() !== "", { error: "content is required" })
    .refine((value) => !value.startsWith("---"), { error: "must not start with ---: the front matter is generated" })
    .refine((value) => value.isWellFormed() && !value.includes("\0"), { error: "must be valid UTF-8" })
    .describe("Instructions in Markdown, without front matter"),
  files: z
    .array(file, { error: "must be an array" })
    .max(MAX_SKILL_FILES - 1, { error: `must contain at most ${MAX_SKILL_FILES - 1} files` })
    .optional()
    .describe("All files except SKILL.md; replaces all"),
  status: choice(["draft", "active"]).optional().describe("Only active skills reach callers. Default: draft"),
  groups: z
    .array(text(), { error: "must be an array" })
    .max(1_000, { error: "must contain at most 1000 groups" })
    .optional()
    .describe("Names of the groups whose members can use it; replaces all"),
};

const EXAMPLE = {
  name: "release-notes",
  description: "Writes release notes from merged pull requests. Use it when a release is prepared.",
  content: "# Release notes\n\n1. List the merged pull requests.\n2. Group them by area.\n",
  files: [{ path: "scripts/list.sh", content: "#!/bin/sh\ngh pr list --state merged\n", executable: true }],
};

export const CreateSkillBody = z
  .object(FIELDS)
  .meta({ id: "CreateSkill", description: "A skill to create", example: { ...EXAMPLE, groups: ["Engineering"] } });

/** The name can be given, but it never changes. */
export const UpdateSkillBody = z
  .object({
    ...FIELDS,
    name: FIELDS.name.optional().describe("Must be the current name"),
    description: FIELDS.description.optional(),
    content: FIELDS.content.optional(),
  })
  .meta({
    id: "UpdateSkill",
    description: "Changes to a skill. Omitted fields keep their values",
    example: { status: "active", groups: ["Engineering"] },
  });

const IMPORT = {
  archive_base64: z.string({ error: "must be a string" }).optional().describe("A ZIP file in base64"),
  skill_md: z
    .string({ error: "must be a string" })
    .refine((value) => value.isWellFormed() && !value.includes("\0"), { error: "must be valid UTF-8" })
    .optional()
    .describe("The text of SKILL.md with its front matter, for a skill without other files"),
};

export const ImportSkillBody = z.object(IMPORT).meta({
  id: "ImportSkill",
  description: "A skill to import: one of `archive_base64` and `skill_md`",
  example: { skill_md: "---\nname: greeting\ndescription: Greets people by name.\n---\n\nSay hello.\n" },
});

/** Everything is reported as a finding, so nothing is refused here. */
export const ValidateSkillBody = z.looseObject({});

export const ValidateSkillDocument = z.object({ ...IMPORT, ...z.object(FIELDS).partial().shape }).meta({
  id: "ValidateSkill",
  description: "The body of an import, or the fields of a skill",
  example: ImportSkillBody.meta()?.example,
});

export type SkillFieldsBody = z.output<typeof UpdateSkillBody>;
