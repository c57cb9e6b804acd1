export const PLUGIN_TARGETS = ["claude", "cursor", "codex"] as const;
export type PluginTarget = (typeof PLUGIN_TARGETS)[number];

export interface PluginAuthor {
  name: string;
  email?: string | undefined;
  url?: string | undefined;
}

/** A subagent of the client. */
export interface PluginAgent {
  name: string;
  description: string;
  /** Instructions in Markdown. */
  content: string;
  model?: string | undefined;
  tools?: string[] | undefined;
}

/** Commands that a client runs, by event. */
export type PluginHooks = Record<
  string,
  {
    matcher?: string | undefined;
    hooks: { type: "command"; command: string; timeout?: number | undefined }[];
  }[]
>;

export interface PluginMcp {
  include_gateway: boolean;
  /** The name of the gateway in the client. */
  server_name: string;
  /** The slug of the toolkit that clients use; null: everything that the user can reach. */
  toolkit: string | null;
  /** Slugs of servers that clients get as separate servers. */
  servers: string[];
}

export interface PluginDefinition {
  /** Null: the organization. */
  author: PluginAuthor | null;
  category: string | null;
  keywords: string[];
  homepage: string | null;
  license: string | null;
  /** Slugs. */
  skills: string[];
  /** Slugs. */
  commands: string[];
  agents: PluginAgent[];
  hooks: PluginHooks | null;
  mcp: PluginMcp;
  targets: PluginTarget[];
}

export interface PluginRow {
  id: string;
  /** The name in manifests; never changes. */
  slug: string;
  name: string;
  description: string;
  search_text: string;
  /** Only publishing makes it active. */
  status: "draft" | "active";
  definition: PluginDefinition;
  /** The number of releases, and so the number of the latest one. */
  releases: number;
  created_at: number;
  updated_at: number;
}

/** What marketplaces show of a release. */
export interface PluginManifest {
  name: string;
  description: string;
  author: PluginAuthor;
  category: string | null;
  keywords: string[];
  homepage: string | null;
  license: string | null;
  /** The toolkit in its MCP configuration. */
  toolkit: string | null;
  targets: PluginTarget[];
}

export interface PluginReleaseRow {
  plugin_id: string;
  number: number;
  version: string;
  digest: string;
  notes: string;
  manifest: PluginManifest;
  size: number;
  files_count: number;
  published_by: string;
  published_at: number;
}

export interface PluginFileRow {
  plugin_id: string;
  number: number;
  path: string;
  /** The key of its content in `file_blobs`. */
  digest: string;
  /** The id of its content in git. */
  blob_id: string;
  size: number;
  executable: boolean;
}

/** One state of a user's marketplace. */
export interface MarketplaceCommitRow {
  user_id: string;
  number: number;
  /** The id in git. */
  commit_id: string;
  releases: { plugin_id: string; number: number }[];
  created_at: number;
}

/** A file of a marketplace that is not part of a plugin. */
export interface MarketplaceFileRow {
  user_id: string;
  number: number;
  path: string;
  /** The key of its content in `file_blobs`. */
  digest: string;
  /** The id of its content in git. */
  blob_id: string;
  size: number;
}

export interface PluginTables {
  plugins: PluginRow;
  plugin_releases: PluginReleaseRow;
  plugin_files: PluginFileRow;
  marketplace_commits: MarketplaceCommitRow;
  marketplace_files: MarketplaceFileRow;
  group_plugins: { group_id: string; plugin_id: string };
}
