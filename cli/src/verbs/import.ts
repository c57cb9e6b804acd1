import { ApiError, type Client } from "#openapi/client";
import { type ConfiguredServer, readClientFile } from "../client-file.ts";
import { EXIT, Failure } from "../failure.ts";
import type { Columns } from "../output.ts";
import { readPages } from "../read-pages.ts";
import { verb } from "../verb.ts";

interface Imported {
  readonly name: string;
  readonly result: "created" | "exists" | "skipped" | "failed";
  readonly slug: string | null;
  readonly detail: string | null;
}

const COLUMNS: Columns<Imported> = {
  NAME: (row) => row.name,
  RESULT: (row) => row.result,
  SERVER: (row) => row.slug,
  DETAIL: (row) => row.detail,
};

export const importServers = verb({
  description: "Create MCP servers from the configuration file of Claude, Cursor, or VS Code",
  args: ["file"],
  example: "gatehouse import .cursor/mcp.json",
  async run({ api, args, readText, out }) {
    const configured = readClientFile(await readText(args.file));
    const client = api();
    const slugs = await slugsByUrl(client);
    const rows: Imported[] = [];
    try {
      for (const server of configured) rows.push(await importServer(client, server, slugs));
    } finally {
      // Also after an error: the servers above it exist.
      out.list(rows, COLUMNS, "The file contains no servers.");
    }
    const failed = rows.filter(({ result }) => result === "failed").length;
    if (failed > 0) throw new Failure(EXIT.failed, `Could not create ${failed} of ${rows.length} servers`);
  },
});

/** A second import must not create servers again. */
async function slugsByUrl(client: Client): Promise<Map<string, string>> {
  const servers = await readPages(undefined, async (limit, cursor?: number) => {
    const { data, pagination } = await client.listMcpServers({ query: { limit, cursor } });
    return { rows: data, next: pagination.nextCursor };
  });
  return new Map(
    servers.flatMap(({ slug, connection }) => (connection?.url && slug ? [[connection.url, slug] as const] : [])),
  );
}

async function importServer(client: Client, server: ConfiguredServer, slugs: Map<string, string>): Promise<Imported> {
  const { name, upstream, problem = null } = server;
  if (upstream === undefined) return { name, result: "skipped", slug: null, detail: problem };
  const existing = slugs.get(upstream.url);
  if (existing !== undefined) return { name, result: "exists", slug: existing, detail: null };
  try {
    const { data } = await client.createMcpServer({ body: { name, mcp_proxy: JSON.stringify(upstream) } });
    slugs.set(upstream.url, data.slug);
    return { name, result: "created", slug: data.slug, detail: detailOf(server) };
  } catch (error) {
    if (!(error instanceof ApiError) || !isAboutThisServer(error.status)) throw error;
    return { name, result: "failed", slug: null, detail: error.message };
  }
}

function detailOf({ upstream, unresolvedHeaders }: ConfiguredServer): string | null {
  if (unresolvedHeaders.length > 0)
    return `not imported, because of a variable: ${unresolvedHeaders.join(", ")}; set it as a shared header`;
  const names = Object.keys(upstream?.headers ?? {});
  return names.length === 0 ? null : `shared credential: ${names.join(", ")}`;
}

/** Other errors, such as a rejected token, would repeat for each server. */
function isAboutThisServer(status: number): boolean {
  return status === 400 || status === 409 || status === 422;
}
