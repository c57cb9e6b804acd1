import { ApiError, type Client } from "#openapi/client";
import type { Schemas } from "#openapi/types";
import type { Call } from "../verb.ts";

type Server = Schemas["McpServerDetail"];

interface Synced {
  readonly slug: string;
  readonly tools_count: number;
  /** Null if the sync succeeded. */
  readonly sync_error: string | null;
}

/** Waits for the first sync of a new server, and says what to do if it has no tools. Never fails: the server exists. */
export async function firstSync(client: Client, server: Server, { out, url }: Pick<Call, "out" | "url">) {
  const synced = await sync(client, server);
  const { sync_error: error, tools_count: count } = synced;
  if (error === null) {
    out.say(`Synced ${countTools(count)}.`);
    out.say(`Next: gatehouse groups add-servers <group> ${server.slug}`);
  } else {
    out.say(`Tools are not synced: ${error}`);
    out.say(nextStep(server, url));
  }
  return synced;
}

async function sync(client: Client, { slug, connection }: Server): Promise<Synced> {
  const failed = (sync_error: string) => ({ slug, tools_count: 0, sync_error });
  if (connection === null) return failed("The server has no URL yet.");
  try {
    const { slug: current, tools_count, sync_error } = (await client.syncMcpServer({ path: { slug } })).data;
    return { slug: current, tools_count, sync_error };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return failed(error.message);
  }
}

function nextStep({ slug, connection, auth_type: auth, needs_setup: needsSetup }: Server, url: string): string {
  if (connection === null) return `Next: gatehouse servers update ${slug} --upstream <url>`;
  if (needsSetup) return `Next: set up its authentication at ${url}/mcp-servers/${slug}`;
  if (auth !== "none") return `Next: connect an account at ${url}/connect/${slug}`;
  return `Fix the cause, then run: gatehouse servers sync ${slug}`;
}

export function countTools(count: number): string {
  return count === 1 ? "1 tool" : `${count} tools`;
}
