import { z } from "zod";
import { read } from "#api/kit/operation";
import { Refusal } from "#lib/errors";
import { Findings, requestedFiles } from "#records/skills";
import {
  CreateSkillBody,
  ImportSkillBody,
  SKILL_BODY_BYTES,
  ValidateSkillBody,
  ValidateSkillDocument,
} from "./bodies.ts";
import { checkRequested, readImport } from "./prepare.ts";
import { SkillFinding } from "./schema.ts";

const Validation = z
  .object({
    valid: z.boolean().describe("Whether it can be saved"),
    name: z.string().nullable().describe("The name of the skill, if it can be read"),
    errors: z.array(SkillFinding).describe("Rules that it violates"),
    warnings: z.array(SkillFinding).describe("Recommendations that it does not follow"),
  })
  .meta({ id: "SkillValidation", description: "All findings about a skill" });

/** Families 3. */
export const validateSkill = read({
  id: "validateSkill",
  route: "POST /api/skills/validate",
  tag: "Skills",
  summary: "Validate a skill",
  description: "Takes the body of an import or of a new skill, reports everything that is wrong, and stores nothing.",
  scope: "admin:read",
  body: ValidateSkillBody,
  bodyDocument: ValidateSkillDocument,
  archive: "A ZIP file with the skill",
  bodyLimitBytes: SKILL_BODY_BYTES,
  answers: { 200: z.object({ data: Validation }) },
  refusals: [400],
  onCrash: "Failed to validate skill",
  async run({ archive, body }) {
    const findings = new Findings();
    let name: string | undefined;
    try {
      name = await check(archive, body, findings);
    } catch (fault) {
      // Such as text that is not base64: the message starts with the field.
      if (!(fault instanceof Refusal) || fault.kind !== "invalid") throw fault;
      const [field = "", ...message] = fault.message.split(": ");
      findings.error(field, message.join(": "));
    }
    const { errors, warnings } = findings;
    return { status: 200, body: { data: { valid: errors.length === 0, name: name ?? null, errors, warnings } } };
  },
});

/** Returns the name of the skill. */
async function check(archive: Buffer | undefined, body: unknown, findings: Findings): Promise<string | undefined> {
  const isImport = archive !== undefined || (typeof body === "object" && body !== null && hasImport(body));
  if (isImport) {
    const given = archive ? undefined : parsed(ImportSkillBody, body, findings);
    if (!archive && !given) return undefined;
    return (await readImport(archive, given, findings)).checked?.fields.name;
  }
  const given = parsed(CreateSkillBody, body, findings);
  return given && checkRequested(given, requestedFiles(given.files ?? []), findings)?.fields.name;
}

function hasImport(body: object): boolean {
  return "archive_base64" in body || "skill_md" in body;
}

/** Reports every issue of the body. */
function parsed<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  findings: Findings,
): z.output<Schema> | undefined {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  for (const { path, message } of result.error.issues) findings.error(path.join(".") || "body", message);
  return undefined;
}
