/** Changes to the top-level arguments of a tool (F11). */
export interface ToolkitArguments {
  /** Sent with every call; callers cannot set them. */
  fixed?: Record<string, unknown>;
  /** Sent when the caller sets nothing. */
  defaults?: Record<string, unknown>;
  /** Not shown to callers, and removed from their calls. */
  hidden?: string[];
}

export interface ToolkitTool {
  /** The server's slug. */
  server: string;
  /** The server's name of the tool. `*`: every tool of the server without its own entry. */
  tool: string;
  /** The exposed name is `{server}__{alias}`. */
  alias?: string;
  title?: string;
  description?: string;
  arguments?: ToolkitArguments;
}

export interface ToolkitPrompt {
  server: string;
  name: string;
}

export interface ToolkitResource {
  server: string;
  /** The URI of a resource, or a URI template. */
  uri: string;
}

export interface ToolkitRow {
  id: string;
  slug: string;
  name: string;
  description: string;
  search_text: string;
  /** For models, in the view of the toolkit; empty: none. */
  instructions: string;
  status: "draft" | "active";
  least_privilege: boolean;
  /** Null: a toolkit of the organization. */
  owner_id: string | null;
  tools: ToolkitTool[];
  prompts: ToolkitPrompt[];
  resources: ToolkitResource[];
  /** Slugs of skills. */
  skills: string[];
  /** Slugs of commands. */
  commands: string[];
  created_at: number;
  updated_at: number;
}

export interface ToolkitTables {
  toolkits: ToolkitRow;
  toolkit_servers: { toolkit_id: string; server_slug: string };
  group_toolkits: { group_id: string; toolkit_id: string };
}
