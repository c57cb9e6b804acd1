import type { CommandArgument } from "#lib/command-values";

export interface CommandRow {
  id: string;
  /** The name by which callers invoke it. */
  slug: string;
  name: string;
  search_text: string;
  /** Null: the first line of the content. */
  description: string | null;
  content: string;
  /** Null: the placeholders of the content. */
  arguments: CommandArgument[] | null;
  /** Null: composed from the arguments. */
  argument_hint: string | null;
  allowed_tools: string[];
  model: string | null;
  disable_model_invocation: boolean;
  /** Slugs of skills. */
  skills: string[];
  include_skills: boolean;
  status: "draft" | "active";
  created_at: number;
  updated_at: number;
}

export interface CommandTables {
  commands: CommandRow;
  group_commands: { group_id: string; command_id: string };
}
