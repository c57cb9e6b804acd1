/**
 * Finds the tools that an upstream lists only for clients with certain capabilities. The upstream is listed with all
 * capabilities that the gateway can relay, and if that shows more tools, once without each of them.
 */
import { declarationOf, GATING_CAPABILITIES, type GatingCapability } from "#lib/gating-capabilities";
import { isObject } from "#lib/is-object";

export interface GatedTool {
  readonly text: string;
  /** The capabilities that a client must declare, all of them. */
  readonly requires: readonly GatingCapability[];
}

/** Lists the tools, as JSON texts, for a client that declares these capabilities. */
export type ListToolsAs = (capabilities: ReturnType<typeof declarationOf>) => Promise<readonly string[]>;

/** `ungated`: the tools for clients without capabilities. */
export async function findGatedTools(ungated: readonly string[], listAs: ListToolsAs): Promise<GatedTool[]> {
  const known = namesOf(ungated);
  const gated = (await listAs(declarationOf(GATING_CAPABILITIES))).filter((text) => !known.has(nameOf(text)));
  if (gated.length === 0) return [];
  const withoutEach: [GatingCapability, ReadonlySet<unknown>][] = [];
  for (const capability of GATING_CAPABILITIES) {
    const others = GATING_CAPABILITIES.filter((name) => name !== capability && !name.startsWith(`${capability}.`));
    withoutEach.push([capability, namesOf(await listAs(declarationOf(others)))]);
  }
  return gated.map((text) => {
    const requires = withoutEach.filter(([, names]) => !names.has(nameOf(text))).map(([capability]) => capability);
    // One of several capabilities is enough for the upstream. A client that declares all of them has that one.
    return { text, requires: requires.length > 0 ? requires : GATING_CAPABILITIES };
  });
}

function namesOf(items: readonly string[]): ReadonlySet<unknown> {
  return new Set(items.map(nameOf));
}

/** The list is valid JSON, but an item can be anything. */
function nameOf(text: string): unknown {
  const item: unknown = JSON.parse(text);
  return isObject(item) ? item.name : undefined;
}
