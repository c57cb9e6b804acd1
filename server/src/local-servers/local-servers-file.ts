import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { z } from "zod";
import type { LocalServer } from "#gateway/upstream/transport/local-servers";
import { BadSetting } from "#lib/bad-setting";
import { slugFromName } from "#lib/slug";

/** The format that MCP clients use for their servers. Other members are ignored. */
const FILE = z.object({
  mcpServers: z.record(
    z.string().min(1).max(200),
    z.object({
      command: z.string({ error: "must be a string" }).min(1, { error: "must not be empty" }),
      args: z.array(z.string({ error: "must be a string" }), { error: "must be a list" }).default([]),
      env: z.record(z.string(), z.string({ error: "must be a string" }), { error: "must be an object" }).default({}),
      cwd: z.string({ error: "must be a string" }).optional(),
    }),
    { error: "must be an object" },
  ),
});

/**
 * Reads the operator's stdio servers. Throws BadSetting with the position in the file, and never with a value, which
 * may be secret.
 */
export function readLocalServersFile(path: string): LocalServer[] {
  const problem = (detail: string) => new BadSetting(`LOCAL_SERVERS_FILE: ${path} ${detail}`);
  const read = FILE.safeParse(parse(path, problem));
  if (!read.success) {
    const [issue] = read.error.issues;
    throw problem(`is invalid at ${issue?.path.join(".") || "the top level"}: ${issue?.message}`);
  }
  const bySlug = new Map<string, LocalServer>();
  for (const [name, { command, args, env, cwd }] of Object.entries(read.data.mcpServers)) {
    if (/\0/.test([command, ...args, ...Object.entries(env).flat(), cwd ?? ""].join(""))) {
      throw problem(`contains a zero byte at mcpServers.${name}`);
    }
    const slug = slugFromName(name, "server");
    const other = bySlug.get(slug);
    if (other) throw problem(`names "${other.name}" and "${name}" have the same slug: ${slug}`);
    bySlug.set(slug, { slug, name, command, args, env, cwd: cwd && resolve(dirname(path), cwd) });
  }
  return [...bySlug.values()];
}

function parse(path: string, problem: (detail: string) => BadSetting): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    throw problem("cannot be read");
  }
  try {
    return JSON.parse(text);
  } catch {
    throw problem("is not valid JSON");
  }
}
