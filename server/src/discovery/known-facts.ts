import { endpointKey } from "#lib/web-url";
import { registryIdsOf } from "#records/connectors";
import { countServersUsing } from "#records/mcp-servers";
import { knownSkillDigests } from "#records/skills";
import type { MainDb } from "#storage/database";
import type { DiscoveryItemRow } from "#storage/discovery-tables";

export type KnownItem = Pick<DiscoveryItemRow, "kind" | "key" | "endpoint_key">;

/** What this installation knows about discovered servers and skills. */
export interface KnownFacts {
  /** The slug of the registered server with this endpoint. */
  slugOf(endpoint: string | null): string | undefined;
  /** The connector or registry entry with this endpoint. */
  registryIdOf(endpoint: string | null): string | undefined;
  isOwnSkill(digest: string): boolean;
}

/** `connectorIds` are those of the built-in connectors, by endpoint. */
export async function readKnownFacts(
  db: MainDb,
  connectorIds: ReadonlyMap<string, string>,
  items: readonly KnownItem[],
): Promise<KnownFacts> {
  const keys = [...new Set(items.map(({ endpoint_key: key }) => key).filter((key) => key !== null))];
  const digests = items.filter(({ kind }) => kind === "skill").map(({ key }) => key);
  const used = keys.length === 0 ? new Map() : await countServersUsing(db, { connectorIds: [], endpointKeys: keys });
  const entries = await registryIdsOf(db, keys);
  const skills = await knownSkillDigests(db, [...new Set(digests)]);
  return {
    slugOf: (key) => (key === null ? undefined : used.get(key)?.slug),
    registryIdOf: (key) => (key === null ? undefined : (connectorIds.get(key) ?? entries.get(key))),
    isOwnSkill: (digest) => skills.has(digest),
  };
}

/** Of a discovered URL; null for servers without one. */
export function discoveredEndpoint(url: string | undefined): string | null {
  return url === undefined ? null : endpointKey(url);
}
