import { isSlug } from "#lib/slug";
import type { McpServerRow } from "#storage/server-tables";

/**
 * D29: always a URL on this server that exists. A built-in connector's URL works even after the connector is removed.
 */
export function connectorLogoUrl(id: string, baseUrl: string): string {
  return `${baseUrl}/logos/connectors/${id}.svg`;
}

export function letterLogoUrl(name: string, baseUrl: string): string {
  const letter = /[A-Za-z0-9]/.exec(name.normalize("NFKD"))?.[0]?.toLowerCase() ?? "mcp";
  return `${baseUrl}/logos/letters/${letter}.svg`;
}

/** Built-in connectors have slugs as ids; ids from the registry always contain a slash. */
export function serverLogoUrl(row: Pick<McpServerRow, "name" | "connector_id">, baseUrl: string): string {
  const { name, connector_id: id } = row;
  return id !== null && isSlug(id) ? connectorLogoUrl(id, baseUrl) : letterLogoUrl(name, baseUrl);
}
