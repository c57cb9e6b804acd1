import type { SkillFields } from "#storage/skill-tables";
import type { Findings } from "./findings.ts";
import type { ParsedSkillMd } from "./front-matter.ts";
import { MAX_COMPATIBILITY, MAX_DESCRIPTION, MAX_NAME, SKILL_MD } from "./limits.ts";

/** In the order in which they are written. */
export const KNOWN_FIELDS = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];
const SKILL_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
export const NAME_MESSAGE = `must be 1-${MAX_NAME} lowercase letters, digits and single hyphens`;
export const RESERVED_METADATA = "io.modelcontextprotocol/";

export function isSkillName(name: string): boolean {
  return name.length <= MAX_NAME && SKILL_NAME.test(name);
}

/** Reports everything that violates the rules of Agent Skills. The result is complete if there are no errors. */
export function checkFrontMatter({ frontMatter, metadataTexts }: ParsedSkillMd, findings: Findings): SkillFields {
  const unknown = Object.keys(frontMatter).filter((key) => !KNOWN_FIELDS.includes(key));
  for (const key of unknown) findings.warn(SKILL_MD, `field ${JSON.stringify(key)} is not part of Agent Skills`);
  return {
    name: checkName(frontMatter.name, findings),
    description: checkDescription(frontMatter.description, findings),
    license: optionalText("license", frontMatter.license, findings),
    compatibility: checkCompatibility(frontMatter.compatibility, findings),
    metadata: checkMetadata(frontMatter.metadata, metadataTexts, findings),
    allowed_tools: checkAllowedTools(frontMatter["allowed-tools"], findings),
  };
}

function checkName(name: unknown, findings: Findings): string {
  if (name === undefined || name === null) findings.error("name", "name is required");
  else if (typeof name !== "string" || !isSkillName(name)) findings.error("name", NAME_MESSAGE);
  return typeof name === "string" ? name : "";
}

function checkDescription(description: unknown, findings: Findings): string {
  if (description === undefined || description === null || description === "")
    findings.error("description", "description is required");
  else if (typeof description !== "string") findings.error("description", "must be text");
  else if (description.trim() === "") findings.error("description", "description is required");
  else if (description.length > MAX_DESCRIPTION)
    findings.error("description", `must be at most ${MAX_DESCRIPTION} characters`);
  else if (description.includes("\0")) findings.error("description", "must not contain NUL characters");
  return typeof description === "string" ? description : "";
}

function optionalText(field: string, value: unknown, findings: Findings): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "string") return value;
  findings.error(field, "must be text");
  return null;
}

function checkCompatibility(value: unknown, findings: Findings): string | null {
  const text = optionalText("compatibility", value, findings);
  if (text !== null && text.length > MAX_COMPATIBILITY)
    findings.error("compatibility", `must be at most ${MAX_COMPATIBILITY} characters`);
  return text;
}

function checkMetadata(value: unknown, texts: ReadonlyMap<string, string>, findings: Findings): Record<string, string> {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) {
    findings.error("metadata", "must consist of names and texts");
    return {};
  }
  const entries = Object.entries(value).map(([name, given]): [string, string] => {
    const text = texts.get(name);
    if (name.startsWith(RESERVED_METADATA)) findings.error(`metadata.${name}`, "is reserved");
    else if (text === undefined) findings.error(`metadata.${name}`, "must be text");
    else if (typeof given !== "string") findings.warn(`metadata.${name}`, "should be quoted to be text");
    return [name, text ?? ""];
  });
  return Object.fromEntries(entries);
}

function checkAllowedTools(value: unknown, findings: Findings): string[] {
  if (value === undefined || value === null) return [];
  if (typeof value === "string") return splitTools(value);
  if (Array.isArray(value) && value.every((tool) => typeof tool === "string")) {
    findings.warn("allowed_tools", "should be one text, separated by spaces");
    return value;
  }
  findings.error("allowed_tools", "must be text");
  return [];
}

/** At spaces and commas outside of parentheses, as in `Read Bash(git add *)`. */
export function splitTools(text: string): string[] {
  return text.match(/(?:\([^()]*\)|[^\s,()]|[()])+/g) ?? [];
}
