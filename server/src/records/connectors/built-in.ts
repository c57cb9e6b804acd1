import { readdir, readFile } from "node:fs/promises";
import { z } from "zod";
import { fold } from "#lib/fold";
import { isSlug, SLUG_MAX_LENGTH } from "#lib/slug";
import { endpointKey, isWebUrl } from "#lib/web-url";
import { isKeyHeaderName, isKeyHeaderPrefix } from "#records/mcp-servers";
import { type ConnectorFilter, connectorSearchText, connectorSortKey } from "./order-and-search.ts";

const line = (maximum: number) =>
  z
    .string()
    .min(1)
    .max(maximum)
    .refine((text) => text === text.trim() && !/\p{Cc}/u.test(text), { error: "must be one line of text" });
const webUrl = z.string().max(2_000).refine(isWebUrl, { error: "must be a valid http or https URL" });

/** One file of `server/catalog/connectors`, whose name is the connector's ID. The README there describes the keys. */
const ConnectorFile = z.strictObject({
  name: line(100),
  description: line(500),
  website: webUrl.optional(),
  category: line(60).optional(),
  status: z.enum(["active", "beta", "soon"]).default("active"),
  url: webUrl.optional(),
  transport: z.enum(["http", "sse", "both"]).default("both"),
  /** Empty if unknown. Servers created from the connector get the first one. */
  authTypes: z.array(z.enum(["proxy-oauth", "proxy-api-key", "none"])).default([]),
  headerName: z.string().refine(isKeyHeaderName, { error: "must be a header name that may be set" }).optional(),
  headerPrefix: z.string().refine(isKeyHeaderPrefix, { error: "must be plain ASCII text" }).optional(),
  /** Where the tools are documented, and its date or version. `partial`: the server has more tools. */
  toolsSource: z
    .strictObject({ name: line(200), asOf: line(40).optional(), partial: z.boolean().optional() })
    .optional(),
  tools: z.array(z.strictObject({ name: line(256), description: line(1_000) })).default([]),
  featured: z.boolean().optional(),
  icon: line(100).optional(),
  setup: line(500).optional(),
});

export type BuiltInConnector = z.output<typeof ConnectorFile> & { readonly id: string };

/** The connectors of this release, in list order. */
export class BuiltInConnectors {
  readonly #byId: ReadonlyMap<string, BuiltInConnector>;
  readonly #sorted: readonly { readonly connector: BuiltInConnector; readonly searchText: string }[];
  /** Of several connectors with one endpoint, the first. */
  readonly idsByEndpoint: ReadonlyMap<string, string>;
  /** Registry entries with one of these keys are duplicates and hidden (D31). */
  readonly endpointKeys: readonly string[];

  constructor(connectors: readonly BuiltInConnector[]) {
    this.#byId = new Map(connectors.map((connector) => [connector.id, connector]));
    this.#sorted = connectors
      .map((connector) => ({
        connector,
        sortKey: connectorSortKey(connector),
        searchText: connectorSearchText(connector),
      }))
      .sort((a, b) => Buffer.compare(a.sortKey, b.sortKey));
    const keyed = connectors.flatMap((connector): [string, BuiltInConnector][] => {
      const key = connector.url === undefined ? null : endpointKey(connector.url);
      return key === null ? [] : [[key, connector]];
    });
    this.endpointKeys = keyed.map(([key]) => key);
    this.idsByEndpoint = new Map(keyed.map(([key, { id }]): [string, string] => [key, id]).toReversed());
  }

  find(id: string): BuiltInConnector | undefined {
    return this.#byId.get(id);
  }

  select({ source, status, category, search, featured = false }: ConnectorFilter): BuiltInConnector[] {
    if (source === "registry") return [];
    const text = fold(search ?? "");
    return this.#sorted
      .filter(({ connector, searchText }) => searchText.includes(text) && (!status || connector.status === status))
      .map(({ connector }) => connector)
      .filter((connector) => category === undefined || connector.category === category)
      .filter((connector) => !featured || connector.featured === true);
  }

  /** Each category with its number of connectors, by name. */
  countByCategory(): { name: string; count: number }[] {
    const named = [...this.#byId.values()].filter(({ category }) => category !== undefined);
    return [...Map.groupBy(named, ({ category = "" }) => category)]
      .map(([name, connectors]) => ({ name, count: connectors.length }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}

/** Connectors are part of the release: an invalid file fails the start and is named. */
export async function readBuiltInConnectors(folder: URL): Promise<BuiltInConnectors> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".json"));
  return new BuiltInConnectors(
    await Promise.all(files.map(async (file) => readConnector(file, await readFile(new URL(file, folder), "utf8")))),
  );
}

export function readConnector(file: string, text: string): BuiltInConnector {
  const id = file.slice(0, -".json".length);
  if (!isSlug(id) || id.length > SLUG_MAX_LENGTH) throw new Error(`connector ${file}: the file name is not a slug`);
  const read = ConnectorFile.safeParse(parse(text));
  if (read.success) return { id, ...read.data };
  const [issue] = read.error.issues;
  throw new Error(`connector ${file}: ${[...(issue?.path ?? []), ""].join(": ")}${issue?.message}`);
}

/** Undefined for invalid JSON, which no schema accepts. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
