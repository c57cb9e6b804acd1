import { endpointKey } from "#lib/web-url";
import { type BuiltInConnectors, registryIdsOf } from "#records/connectors";
import { countServersUsing } from "#records/mcp-servers";
import { knownSkillDigests } from "#records/skills";
import type { MainDb } from "#storage/database";

/** What this installation knows about discovered servers and skills. */
export interface KnownFacts {
  /** The slug of the registered server with this endpoint. */
  slugOf(endpoint: string | null): string | undefined;
  /** The connector or registry entry with this endpoint. */
  registryIdOf(endpoint: string | null): string | undefined;
  isOwnSkill(digest: string): boolean;
}

export async function readKnownFacts(
  db: MainDb,
  connectors: BuiltInConnectors,
  { endpoints, digests }: { endpoints: readonly (string | null)[]; digests: readonly string[] },
): Promise<KnownFacts> {
  const keys = [...new Set(endpoints.filter((key) => key !== null))];
  const used = keys.length === 0 ? new Map() : await countServersUsing(db, { connectorIds: [], endpointKeys: keys });
  const entries = await registryIdsOf(db, keys);
  const skills = await knownSkillDigests(db, [...new Set(digests)]);
  return {
    slugOf: (key) => (key === null ? undefined : used.get(key)?.slug),
    registryIdOf: (key) => (key === null ? undefined : (connectors.findByEndpoint(key)?.id ?? entries.get(key))),
    isOwnSkill: (digest) => skills.has(digest),
  };
}

/** Of a discovered URL; null for servers without one. */
export function discoveredEndpoint(url: string | undefined): string | null {
  return url === undefined ? null : endpointKey(url);
}
