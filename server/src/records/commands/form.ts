import type { CommandArgument } from "#lib/command-values";
import type { CommandRow } from "#storage/command-tables";

/** A command without ids and times. Values that follow from the content are null. */
export type CommandForm = Pick<
  CommandRow,
  | "slug"
  | "name"
  | "description"
  | "content"
  | "arguments"
  | "argument_hint"
  | "allowed_tools"
  | "model"
  | "disable_model_invocation"
  | "skills"
  | "include_skills"
>;

/** Fields of a request. Omitted ones keep their values; null restores the default. */
export interface GivenCommand {
  readonly slug?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly content?: string | undefined;
  readonly arguments?: readonly GivenArgument[] | null | undefined;
  readonly argument_hint?: string | null | undefined;
  readonly allowed_tools?: readonly string[] | null | undefined;
  readonly model?: string | null | undefined;
  readonly disable_model_invocation?: boolean | undefined;
  readonly skills?: readonly string[] | null | undefined;
  readonly include_skills?: boolean | undefined;
  readonly status?: CommandRow["status"] | undefined;
}

export interface GivenArgument {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly required?: boolean | undefined;
  readonly default?: string | null | undefined;
  readonly enum?: readonly string[] | null | undefined;
}

export function formOf(row: CommandRow): CommandForm {
  const { id: _id, search_text: _text, status: _status, created_at: _created, updated_at: _updated, ...form } = row;
  return form;
}

export function argumentOf({ name, description, required, default: value, enum: allowed }: GivenArgument) {
  const argument: CommandArgument = {
    ...{ name, description: description ?? "", required: required ?? false, default: value ?? null },
    enum: allowed ? [...new Set(allowed)] : null,
  };
  return argument;
}
