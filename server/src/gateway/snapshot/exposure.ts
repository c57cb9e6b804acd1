/**
 * What toolkits expose of one server. Calls look up one name, and lists go through all; both use the same rules:
 * - An entry with an alias exposes its tool under that alias, other entries expose it under its own name.
 * - If two entries expose the same name, aliases come first, then the order of the entries.
 * - Of several toolkits with least privilege, the first one that exposes a name decides.
 */
import type { Listing } from "./listing.ts";
import type { NamedItem, ServerEntry } from "./shape.ts";
import type { ArgumentChanges, ToolkitItem, ToolkitPart } from "./toolkits.ts";

/** A tool as a toolkit exposes it. */
export interface ExposedTool {
  /** Of the toolkit. */
  readonly toolkit: string;
  /** The part of the exposed name after `__`. */
  readonly slug: string;
  /** As the server lists it. */
  readonly item: NamedItem;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly argumentChanges?: ArgumentChanges | undefined;
  /** The slug of the next toolkit that exposes something under the same name. */
  readonly conflict?: string | undefined;
}

/** For a call: under its exposed name, with the changes to its arguments. */
export function callableItem({ item, slug, argumentChanges }: ExposedTool): NamedItem {
  return slug === item.slug && !argumentChanges ? item : { ...item, slug, ...(argumentChanges && { argumentChanges }) };
}

export class Exposure {
  readonly #server: ServerEntry;
  readonly #parts: readonly ToolkitPart[];
  /** Restricts the entries further: a user's own toolkit cannot expose more than the toolkits of the organization. */
  readonly #within: Exposure | undefined;

  constructor(server: ServerEntry, parts: readonly ToolkitPart[], within?: Exposure) {
    this.#server = server;
    this.#parts = parts;
    this.#within = within;
  }

  /** The slugs of the toolkits that decide. */
  get toolkits(): readonly string[] {
    const outer = this.#within ? this.#within.toolkits : [];
    return [...new Set([...this.#parts.map((part) => part.toolkit), ...outer])];
  }

  /** Whether nothing of the server is exposed, whatever it lists. */
  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  /** Equal for the same exposure, in one snapshot. */
  get key(): string {
    const within = this.#within ? ` ${this.#within.key}` : "";
    return this.#parts.map((part) => part.toolkitId).join() + within;
  }

  /** By the part of a name after `__`. A tool's full name at the server is accepted too, unless another one has it (D28). */
  tool(name: string): ExposedTool | undefined {
    const exposed = this.#exposedAs(name);
    const item = exposed ? undefined : this.#server.tools.byKey.get(name);
    if (!item || item.slug === name) return exposed;
    const renamed = this.#exposedAs(item.slug);
    return renamed?.item === item ? renamed : undefined;
  }

  /** In the order of the entries. */
  tools(): ExposedTool[] {
    const exposed = new Map<string, ExposedTool>();
    for (const part of this.#parts) {
      for (const slug of this.#candidates(part)) {
        const tool = exposed.has(slug) ? undefined : this.#inPart(part, slug);
        if (tool) exposed.set(slug, tool);
      }
    }
    return [...exposed.values()];
  }

  /** By the server's name of the prompt. */
  hasPrompt(name: string): boolean {
    return this.#parts.some(({ prompts }) => prompts.has(name)) && (this.#within?.hasPrompt(name) ?? true);
  }

  /** By the URI or URI template that the server lists. */
  hasResource(uri: string): boolean {
    return this.#parts.some(({ resources }) => resources.has(uri)) && (this.#within?.hasResource(uri) ?? true);
  }

  /** The slug of the toolkit that exposes a prompt or resource, for the log. */
  toolkitOf(kind: "prompts" | "resources", name: string): string | undefined {
    return this.#parts.find((part) => part[kind].has(name))?.toolkit;
  }

  /** Every name that the part can expose, and some that it does not. */
  *#candidates({ tools, others }: ToolkitPart): Iterable<string> {
    for (const { tool, alias } of tools) {
      const slug = alias ?? itemNamed(this.#server.tools, tool)?.slug;
      if (slug !== undefined) yield slug;
    }
    if (others) for (const { slug } of this.#server.tools.items) yield slug;
  }

  #exposedAs(slug: string): ExposedTool | undefined {
    let first: ExposedTool | undefined;
    for (const part of this.#parts) {
      const exposed = this.#inPart(part, slug);
      if (exposed && first) return { ...first, conflict: exposed.toolkit };
      first ??= exposed;
    }
    return first;
  }

  #inPart(part: ToolkitPart, slug: string): ExposedTool | undefined {
    const aliased = this.#aliased(part, slug);
    const item = aliased ? undefined : this.#server.tools.byKey.get(slug);
    return item?.slug === slug ? this.#unaliased(part, item) : aliased;
  }

  #aliased(part: ToolkitPart, alias: string): ExposedTool | undefined {
    for (const entry of part.byAlias.get(alias) ?? []) {
      const item = itemNamed(this.#server.tools, entry.tool);
      const exposed = item && this.#expose(part, item, entry);
      if (exposed) return exposed;
    }
    return undefined;
  }

  #unaliased(part: ToolkitPart, item: NamedItem): ExposedTool | undefined {
    const entries = part.byTool.get(item.upstreamName);
    if (!entries) return part.others ? this.#expose(part, item, undefined) : undefined;
    const entry = entries.find(({ alias }) => alias === undefined);
    return entry && this.#expose(part, item, entry);
  }

  #expose(part: ToolkitPart, item: NamedItem, entry: ToolkitItem | undefined): ExposedTool | undefined {
    const within = this.#within;
    const outer = within ? within.#firstEntry(item) : undefined;
    if (within && !outer) return undefined;
    return {
      toolkit: part.toolkit,
      slug: entry?.alias ?? item.slug,
      item,
      title: entry?.title ?? outer?.title,
      description: entry?.description ?? outer?.description,
      argumentChanges: mergeChanges(outer?.argumentChanges, entry?.argumentChanges),
    };
  }

  /** The tool as the first entry for it exposes it, under any name. */
  #firstEntry(item: NamedItem): ExposedTool | undefined {
    for (const part of this.#parts) {
      const [entry] = part.byTool.get(item.upstreamName) ?? [];
      const exposed = entry || part.others ? this.#expose(part, item, entry) : undefined;
      if (exposed) return exposed;
    }
    return undefined;
  }
}

/** By the server's name. Another tool can have this name as its slug. */
function itemNamed({ byKey, items }: Listing<NamedItem>, name: string): NamedItem | undefined {
  const item = byKey.get(name);
  return !item || item.upstreamName === name ? item : items.find(({ upstreamName }) => upstreamName === name);
}

/** What the outer toolkit fixes or hides stays fixed or hidden. */
function mergeChanges(
  outer: ArgumentChanges | undefined,
  inner: ArgumentChanges | undefined,
): ArgumentChanges | undefined {
  if (!outer || !inner) return outer ?? inner;
  const open = <Value>(values: ReadonlyMap<string, Value>) =>
    [...values].filter(([name]) => !outer.hidden.has(name) && !outer.fixed.has(name));
  const fixed = new Map([...outer.fixed, ...open(inner.fixed)]);
  const defaults = [...outer.defaults, ...open(inner.defaults)].filter(([name]) => !fixed.has(name));
  return { fixed, defaults: new Map(defaults), hidden: new Set([...outer.hidden, ...inner.hidden]) };
}
