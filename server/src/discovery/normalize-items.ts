import { createHash } from "node:crypto";
import type { z } from "zod";
import { serverFacts } from "#policy/facts";
import { normalizeServer, sha256 } from "#policy/normalize-server";
import { REDACTED, redactScript, redactStrings, shortenHome } from "#policy/redact";
import { skillDigest } from "#policy/skill-digest";
import { itemId } from "#records/discovery";
import type { DiscoveryKind } from "#storage/discovery-tables";
import { AgentItem, MemoryItem, ServerItem, SkillItem } from "./item-schemas.ts";
import { CAN_CONTAIN_HOME, type KnownItems } from "./known-items.ts";
import type { FoundItem, Rejection } from "./report.ts";
import { LISTS } from "./report.ts";

/** Turns one entry of a report into an item, or says what is wrong with it. Secrets are removed here again. */
export class ItemNormalizer {
  readonly #homes: readonly string[];
  readonly #known: KnownItems;

  /** Home folders of these users are replaced with `~`. */
  constructor(usernames: readonly string[], known: KnownItems) {
    this.#known = known;
    const names = [...new Set(usernames)].filter((name) => name !== "" && !/[/\\]/.test(name));
    this.#homes = names.flatMap((name) => [`/Users/${name}`, `/home/${name}`, `C:\\Users\\${name}`]);
  }

  normalize(kind: DiscoveryKind, entry: unknown, index: number): FoundItem | Rejection {
    const key = this.#known.keyOf(kind, entry);
    const known = key === undefined ? undefined : this.#known.get(key);
    if (known) return known;
    const result = this.#normalizeNew(kind, entry, index);
    if (key !== undefined && !("reason" in result)) this.#known.set(key, result);
    return result;
  }

  #normalizeNew(kind: DiscoveryKind, entry: unknown, index: number): FoundItem | Rejection {
    const path = `${LISTS[kind]}.${index}`;
    switch (kind) {
      case "mcp_server":
        return checked(ServerItem, entry, path, (item) => this.#server(item));
      case "skill":
        return checked(SkillItem, entry, path, (item) => this.#skill(item));
      case "agent_memory":
        return checked(MemoryItem, entry, path, (item) => this.#memory(item));
      case "agent":
        return checked(AgentItem, entry, path, (item) => this.#agent(item));
    }
  }

  #server(item: z.output<typeof ServerItem>): FoundItem {
    const { command, args, url, project, username } = item;
    const normalized = normalizeServer(
      {
        ...{ name: item.name, client: item.client, scope: item.scope, transport: item.transport },
        ...{ command: command ?? undefined, args: args ?? undefined, url: url ?? undefined },
        ...{ envKeys: item.env_keys ?? [], headerKeys: item.header_keys ?? [], enabled: item.enabled ?? true },
        ...{ configPath: item.config_path, project: project ?? undefined, username: username ?? undefined },
      },
      this.#homesIn(JSON.stringify(item)),
    );
    const facts = serverFacts(normalized, []);
    const isRemote = normalized.transport !== "stdio";
    return {
      kind: "mcp_server",
      key: normalized.fingerprint,
      itemId: itemId("mcp_server", normalized.fingerprint),
      facts: present({
        url: facts.url,
        package: facts.package,
        command: isRemote ? undefined : facts.command,
        also: facts.also,
      }),
      transport: normalized.transport,
      url: isRemote ? normalized.url : undefined,
      ...{ client: normalized.client, name: normalized.name, path: normalized.config_path, scope: normalized.scope },
      username: username ?? undefined,
      details: present({
        enabled: normalized.enabled,
        transport: normalized.transport,
        command: normalized.command,
        args: normalized.args,
        url: normalized.url,
        package: normalized.package,
        env_keys: normalized.env_keys,
        header_keys: normalized.header_keys,
        project: normalized.project,
        config_hash: normalized.config_hash,
        quarantined: item.quarantined || undefined,
      }),
    };
  }

  #skill(item: z.output<typeof SkillItem>): FoundItem {
    const hasScripts = item.has_scripts ?? false;
    const issues = [...new Set(item.issues ?? [])];
    return {
      ...{ kind: "skill", key: item.digest, itemId: itemId("skill", item.digest), transport: null, url: undefined },
      client: item.client,
      name: item.name,
      ...{ path: this.#path(item.path), scope: item.source, username: item.username ?? undefined },
      facts: present({
        description: item.description ?? "",
        files_count: item.files_count ?? undefined,
        size_bytes: item.size_bytes ?? undefined,
        has_scripts: hasScripts,
        allowed_tools: typeof item.allowed_tools === "string" ? redactScript(item.allowed_tools) : undefined,
        issues,
      }),
      details: present({
        project: this.#project(item.project),
        has_scripts: hasScripts,
        issues,
        quarantined: item.quarantined || undefined,
      }),
      ...skillText(item),
    };
  }

  #memory(item: z.output<typeof MemoryItem>): FoundItem {
    const path = this.#path(item.path);
    const key = sha256(`${item.client}\n${item.kind}\n${path}`);
    return {
      ...{ kind: "agent_memory", key, itemId: itemId("agent_memory", key), transport: null },
      ...{ url: undefined, client: item.client, name: fileName(path), path, scope: item.scope },
      username: item.username ?? undefined,
      facts: { path, memory_kind: item.kind },
      details: present({
        size_bytes: item.size_bytes ?? undefined,
        sha256: item.sha256.replace(/^sha256:/, ""),
        modified_at: item.modified_at ?? undefined,
        issues: [...new Set(item.issues ?? [])],
        project: this.#project(item.project),
      }),
    };
  }

  #agent(item: z.output<typeof AgentItem>): FoundItem {
    const { name } = item;
    const key = sha256(`${item.client}\n${item.kind}\n${name}`);
    return {
      ...{ kind: "agent", key, itemId: itemId("agent", key), transport: null, url: undefined },
      ...{ client: item.client, name, path: this.#path(item.path ?? ""), scope: item.kind },
      username: item.username ?? undefined,
      facts: { agent_kind: item.kind },
      details: present({ version: item.version ?? undefined, running: item.running ?? undefined }),
    };
  }

  #path(path: string): string {
    return shortenHome(path, this.#homesIn(path));
  }

  /** A device can have a thousand users, and most texts contain no home folder. */
  #homesIn(text: string): readonly string[] {
    return CAN_CONTAIN_HOME.test(text) ? this.#homes : [];
  }

  #project(project: string | null | undefined): string | undefined {
    return project === null || project === undefined ? undefined : this.#path(project);
  }
}

function checked<Schema extends z.ZodType>(
  schema: Schema,
  entry: unknown,
  path: string,
  normalize: (item: z.output<Schema>) => FoundItem,
): FoundItem | Rejection {
  const result = schema.safeParse(entry);
  if (result.success) return normalize(redactStrings(result.data));
  const [issue] = result.error.issues;
  return { path: [path, ...(issue?.path ?? [])].join("."), reason: issue?.message ?? "is invalid" };
}

/**
 * A text without secrets. If SKILL.md is the only file, its digest proves that the device did not send another text; the
 * text of a larger skill cannot be verified, so only admins decide about it.
 */
function skillText({
  content,
  digest,
  files_count: count,
}: z.output<typeof SkillItem>): Pick<FoundItem, "skillMd" | "hasWrongText"> {
  if (!content) return {};
  if (count !== 1 || content.includes(REDACTED)) return { skillMd: content };
  const expected = skillDigest([{ path: "SKILL.md", digest: createHash("sha256").update(content).digest("hex") }]);
  return expected === digest ? { skillMd: content } : { hasWrongText: true };
}

function fileName(path: string): string {
  return path.split(/[/\\]/).at(-1) || path;
}

function present(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
