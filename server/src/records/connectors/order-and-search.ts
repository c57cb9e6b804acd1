import { fold } from "#lib/fold";

type ConnectorSource = "connector" | "registry";
type ConnectorStatus = "active" | "beta" | "soon";

export interface ConnectorFilter {
  readonly source: ConnectorSource | undefined;
  readonly status: ConnectorStatus | undefined;
  /** Entries of the registry have no category. */
  readonly category: string | undefined;
  readonly search: string | undefined;
  /** Only featured connectors, which are all built in. */
  readonly featured?: boolean;
}

/** Some characters fold to several, and a key must stay short enough for an index. */
const MAX_SORTED_LENGTH = 200;

/** By name regardless of case, then by ID, so that the order is stable and the same in both databases. */
export function connectorSortKey({ id, name }: { readonly id: string; readonly name: string }): Buffer {
  return Buffer.from(`${fold(name).slice(0, MAX_SORTED_LENGTH).toWellFormed()}\0${id}`);
}

/** Spec 4.2: id, name and description, folded. */
export function connectorSearchText(entry: { id: string; name: string; description: string }): string {
  return [entry.id, entry.name, entry.description].map(fold).join("\n");
}
