/** `{slug}__{name}` at the gateway, `{name}` for the suite. */

interface Sent {
  readonly body: Buffer;
  /** The modern headers that mirror the body. */
  readonly method?: string | string[] | undefined;
  readonly name?: string | string[] | undefined;
}

interface Translated {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

interface Params {
  name?: string;
  ref?: { type: string; name: string };
}

const NAMED = ["tools/call", "prompts/get"];

export function addPrefix(prefix: string, { body, method, name }: Sent): Translated {
  const mirrored = typeof name === "string" && NAMED.includes(String(method));
  const headers: Record<string, string> = mirrored ? { "mcp-name": prefix + name } : {};
  const message = parse(body.toString()) as { method?: string; params?: Params } | undefined;
  const { params } = message ?? {};
  if (prefix === "" || !params) return { body, headers };
  if (NAMED.includes(message?.method ?? "") && params.name !== undefined) params.name = prefix + params.name;
  if (params.ref?.type === "ref/prompt") params.ref.name = prefix + params.ref.name;
  return { body: Buffer.from(JSON.stringify(message)), headers };
}

export function removePrefix(prefix: string, text: string): string {
  const message = parse(text) as { result?: Record<string, unknown> } | undefined;
  const { result } = message ?? {};
  if (prefix === "" || !result) return text;
  for (const list of ["tools", "prompts"]) {
    const entries = result[list];
    if (Array.isArray(entries))
      result[list] = entries.map((entry) => ({ ...entry, name: entry.name.slice(prefix.length) }));
  }
  return JSON.stringify(message);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
