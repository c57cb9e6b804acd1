import { isSlug } from "#lib/slug";
import type { McpServerRow } from "#storage/server-tables";

/** D29: always an address of ours that answers. A built-in connector's answers even when it is no more. */
export function connectorLogoUrl(id: string, baseUrl: string): string {
  return `${baseUrl}/logos/connectors/${id}.svg`;
}

export function letterLogoUrl(name: string, baseUrl: string): string {
  const letter = /[A-Za-z0-9]/.exec(name.normalize("NFKD"))?.[0]?.toLowerCase() ?? "mcp";
  return `${baseUrl}/logos/letters/${letter}.svg`;
}

/** Built-in connectors have slugs for ids; those of the registry always hold a slash. */
export function serverLogoUrl(row: Pick<McpServerRow, "name" | "connector_id">, baseUrl: string): string {
  const { name, connector_id: id } = row;
  return id !== null && isSlug(id) ? connectorLogoUrl(id, baseUrl) : letterLogoUrl(name, baseUrl);
}
