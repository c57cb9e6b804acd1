export interface FileBlobRow {
  /** SHA-256 of the content, in hexadecimal. */
  digest: string;
  size: number;
  content: Uint8Array;
  /** When a record that refers to it was last saved. */
  used_at: number;
}

export interface SkillRow {
  id: string;
  /** The name in the front matter; never changes. */
  slug: string;
  description: string;
  search_text: string;
  status: "draft" | "active";
  /** The current version. */
  version: number;
  created_at: number;
  updated_at: number;
}

/** What the front matter of a skill says, as the API shows it. */
export interface SkillFields {
  name: string;
  description: string;
  license: string | null;
  compatibility: string | null;
  metadata: Record<string, string>;
  allowed_tools: string[];
}

/** How a version came to be if it was not edited. */
export type SkillSource =
  | { type: "upload" | "paste" | "discovery"; imported_at: number }
  | { type: "rollback"; version: number; imported_at: number };

export interface SkillVersionRow {
  skill_id: string;
  version: number;
  /** The front matter of SKILL.md as its author wrote it. */
  front_matter: Record<string, unknown>;
  fields: SkillFields;
  /** `sha256:` and the hash of all paths and digests. */
  digest: string;
  size: number;
  files_count: number;
  source: SkillSource | null;
  created_by: string;
  created_at: number;
}

export interface SkillFileRow {
  skill_id: string;
  version: number;
  path: string;
  /** The key of its content in `file_blobs`. */
  digest: string;
  size: number;
  executable: boolean;
  /** Whether it is text in UTF-8. */
  is_text: boolean;
}

export interface SkillTables {
  file_blobs: FileBlobRow;
  skills: SkillRow;
  skill_versions: SkillVersionRow;
  skill_files: SkillFileRow;
  group_skills: { group_id: string; skill_id: string };
}
