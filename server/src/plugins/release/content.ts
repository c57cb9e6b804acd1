import type { CommandForm } from "#records/commands";
import type { PluginRow } from "#storage/plugin-tables";

/** A file whose content is stored already. */
export interface StoredFile {
  readonly path: string;
  readonly digest: string;
  readonly size: number;
  readonly executable: boolean;
  readonly is_text: boolean;
}

export interface ReleaseContent {
  readonly plugin: Pick<PluginRow, "slug" | "name" | "description" | "definition">;
  readonly version: string;
  readonly orgName: string;
  /** Without a slash at the end. */
  readonly gatewayUrl: string;
  readonly skills: readonly { readonly slug: string; readonly files: readonly StoredFile[] }[];
  readonly commands: readonly CommandForm[];
}

export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
