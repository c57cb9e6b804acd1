import { z } from "zod";
import { createdAt, recordId, timestamp, updatedAt } from "#api/kit/answers";

const digest = (description: string) =>
  z.string().meta({ description, example: "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" });

const FIELDS = {
  description: z.string().meta({
    description: "What the skill does and when to use it, for models",
    example: "Writes release notes from merged pull requests. Use it when a release is prepared.",
  }),
  license: z.string().nullable().describe("The license, or the name of a file with it"),
  compatibility: z.string().nullable().describe("What the skill requires of its environment"),
  metadata: z.record(z.string(), z.string()).describe("Further names and texts of the front matter"),
  allowed_tools: z.array(z.string()).describe("Tools that clients may use without asking. The gateway ignores them"),
};

const size = z.int().meta({ description: "Size of all files in bytes", example: 4_096 });
const filesCount = z.int().meta({ description: "Number of files, with SKILL.md", example: 3 });

export const SkillSourceShape = z
  .object({
    type: z.enum(["upload", "paste", "discovery", "rollback"]).describe("How the version was made"),
    version: z.int().optional().describe("The version that a rollback restored"),
    imported_at: timestamp("When it was imported or restored"),
  })
  .nullable()
  .describe("Where the content comes from. Null: it was edited");

/** Families 3. */
export const Skill = z
  .object({
    id: recordId("skl"),
    slug: z.string().meta({ description: "Equal to the name; never changes", example: "release-notes" }),
    name: z.string().meta({ description: "The name in the front matter", example: "release-notes" }),
    ...FIELDS,
    status: z.enum(["draft", "active"]).describe("Only active skills reach callers"),
    groups: z.array(z.string()).describe("Names of the groups whose members can use it"),
    version: z.int().meta({ description: "The current version; every change of the content adds one", example: 1 }),
    version_label: z.string().nullable().describe("`version` of the metadata"),
    digest: digest("Of the paths and digests of all files: equal for equal content"),
    size_bytes: size,
    files_count: filesCount,
    source: SkillSourceShape,
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .meta({ id: "Skill", description: "Instructions for models, with files" });

export const SkillFileShape = z
  .object({
    path: z.string().meta({ description: "Relative path", example: "scripts/run.sh" }),
    size: z.int().describe("Size in bytes"),
    digest: digest("SHA-256 of the content"),
    executable: z.boolean().describe("Whether it is executable in downloads"),
    mime_type: z.string().meta({ description: "By the extension of the path", example: "application/x-sh" }),
    content: z.string().nullable().optional().describe("The content, if it is text in UTF-8"),
    content_base64: z.string().nullable().optional().describe("The content in base64, if it is not text"),
  })
  .meta({ id: "SkillFile", description: "A file of a skill" });

export const SkillDetail = Skill.extend({
  content: z.string().describe("The Markdown below the front matter of SKILL.md"),
  files: z.array(SkillFileShape).describe("All files, SKILL.md first"),
}).meta({ id: "SkillDetail", description: "A skill with the content of its files" });

export const SkillVersion = z
  .object({
    version: z.int().meta({ description: "Number of the version", example: 2 }),
    current: z.boolean().describe("Whether callers get this version"),
    description: FIELDS.description,
    version_label: z.string().nullable().describe("`version` of the metadata"),
    digest: digest("Of the paths and digests of all files"),
    size_bytes: size,
    files_count: filesCount,
    source: SkillSourceShape,
    created_by: z.string().describe("Who saved it"),
    created_at: createdAt,
  })
  .meta({ id: "SkillVersion", description: "One version of a skill; versions never change" });

export const SkillFinding = z.object({
  field: z.string().meta({ description: "The field or the path of the file", example: "description" }),
  message: z.string().meta({ description: "What is wrong", example: "must be at most 1024 characters" }),
});

export const skillWarningsField = z
  .array(z.string())
  .optional()
  .describe("What was saved although it does not follow the recommendations");
