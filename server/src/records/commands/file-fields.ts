/**
 * Values that command files of clients do not have are in one field, which clients ignore, so that an exported command
 * can be imported without loss.
 */
import { splitTools } from "#records/skills";
import type { CommandForm } from "./form.ts";

export const OWN_FIELD = "gatehouse";

export function ownFields(command: CommandForm) {
  return {
    ...{ slug: command.slug, name: command.name },
    ...(command.arguments && { arguments: command.arguments.map(withoutNulls) }),
    ...(command.include_skills && { include_skills: true }),
  };
}

/** TOML has no null, and an import treats a missing value the same. */
function withoutNulls<Value extends object>(value: Value): Partial<Value> {
  // Removing entries leaves a part of the value.
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null)) as Partial<Value>;
}

const FIELDS = [
  ...["slug", "name", "description", "content", "arguments", "argument_hint", "allowed_tools", "model"],
  ...["disable_model_invocation", "skills", "include_skills"],
];
const LISTS = new Set(["allowed_tools", "skills"]);

/** The fields of a new command that a file has; the caller must check them. A list may be written as one text. */
export function fieldsOf(file: Record<string, unknown>): Record<string, unknown> {
  const present = FIELDS.filter((field) => file[field] !== undefined && file[field] !== null);
  return Object.fromEntries(
    present.map((field) => {
      const value = file[field];
      return [field, LISTS.has(field) && typeof value === "string" ? splitTools(value) : value];
    }),
  );
}

/** The first line, as the name of a command that has none. */
export function titleOf(content: string): string {
  const line = content.split(/\r?\n/).find((text) => text.trim() !== "") ?? "";
  return (
    line
      .replace(/^#+\s*/, "")
      .trim()
      .slice(0, 100)
      .toWellFormed() || "Command"
  );
}

export function objectOf(value: unknown): Record<string, unknown> {
  // The check leaves objects only.
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
