import {
  findServerById,
  isSameAuthority,
  lockServer,
  saveDiscoveredOAuth,
  saveOAuthChange,
  serversWithAuthority,
} from "#records/mcp-servers";
import type { DiscoveredOAuth } from "#storage/oauth-tables";
import type { McpServerRow } from "#storage/server-tables";
import { type WriteAuthor, writeTransaction } from "#storage/transaction";
import type { StepLog } from "./fault.ts";
import type { ConnectNeeds } from "./needs.ts";

/** Who sees the result of a discovery: an admin, or only the user who connects. */
export type SeenBy = "admin" | "user";

/** What a discovery found, and what is used. */
export interface Judged {
  /** The settings to use. */
  readonly found: DiscoveredOAuth;
  /** What the server names instead; undefined: nothing else. */
  readonly change: DiscoveredOAuth | undefined;
  /** Slugs of other servers whose tokens come from the same place. */
  readonly sharedWith: readonly string[];
}

/**
 * OA-4: a server can name any authorization server, also that of another server, and would get the tokens that people
 * receive there. So the first one is pinned, and another one waits until an admin approves it. Throws `DiscoveryFailed` if
 * nothing is pinned yet and the server names the authorization server of another one.
 */
export async function judgeAuthority(
  needs: ConnectNeeds,
  server: McpServerRow,
  named: DiscoveredOAuth,
  { author, seenBy, log }: { readonly author: WriteAuthor; readonly seenBy: SeenBy; readonly log: StepLog },
): Promise<Judged> {
  const pinned = server.discovered_oauth;
  if (pinned && !isSameAuthority(pinned, named)) {
    await storeChange(needs, server, named, author, seenBy);
    log.add(
      "whether tokens still come from the same place",
      `${named.issuer} for ${named.resource} instead of ${pinned.issuer} for ${pinned.resource}`,
      "not used until an admin approves it",
    );
    return { found: pinned, change: named, sharedWith: await serversWithAuthority(needs.db, server, named) };
  }
  const sharedWith = await serversWithAuthority(needs.db, server, named);
  if (pinned || seenBy === "admin" || isSetByAdmin(server) || sharedWith.length === 0) {
    return { found: named, change: undefined, sharedWith };
  }
  await storeChange(needs, server, named, author, seenBy);
  throw log.fail(
    "whether another server gets its tokens there",
    sharedWith.join(", "),
    `${named.issuer} also issues tokens for another server. An administrator must approve it in the server's authentication settings`,
  );
}

function isSetByAdmin({ auth_settings: { issuer, tokenUrl } }: McpServerRow): boolean {
  return issuer !== undefined || tokenUrl !== undefined;
}

/** Stores settings with a pinned or first authority. */
export async function storeFound(
  needs: ConnectNeeds,
  server: McpServerRow,
  found: DiscoveredOAuth,
  author: WriteAuthor,
): Promise<void> {
  const isStored = JSON.stringify(server.discovered_oauth) === JSON.stringify(found);
  if (isStored && !server.oauth_change) return;
  await writeTransaction(needs, author, async (tx, trail) => {
    const locked = await lockUnmoved(tx, server);
    if (!locked) return;
    const { discovered_oauth: pinned } = locked;
    // Another process pinned a different authority meanwhile. The sign-in that continues is rejected at its callback.
    if (pinned && !isSameAuthority(pinned, found)) return;
    await saveDiscoveredOAuth(tx, server.id, found);
    if (isStored) return;
    trail.audit({
      operation: "discoverOAuth",
      target: { kind: "mcp-server", id: server.id, name: locked.slug },
      ...(pinned ? { before: pinned } : {}),
      after: found,
    });
  });
}

async function storeChange(
  needs: ConnectNeeds,
  server: McpServerRow,
  named: DiscoveredOAuth,
  author: WriteAuthor,
  seenBy: SeenBy,
): Promise<void> {
  const isKnown = (row: McpServerRow) => {
    const { oauth_change: known } = row;
    // An admin who runs the discovery again gets another chance to approve a change that was not approved.
    return known && isSameAuthority(known.found, named) && !(known.isKept && seenBy === "admin");
  };
  if (isKnown(server)) return;
  await writeTransaction(needs, author, async (tx, trail) => {
    const locked = await lockUnmoved(tx, server);
    const { discovered_oauth: pinned } = locked ?? {};
    if (!locked || isKnown(locked) || (pinned && isSameAuthority(pinned, named))) return;
    await saveOAuthChange(tx, server.id, { found: named, foundAt: needs.clock.now() });
    needs.logger.warn({ server: locked.slug, issuer: named.issuer }, "a server names another authorization server");
    trail.audit({
      operation: "noteOAuthChange",
      target: { kind: "mcp-server", id: server.id, name: locked.slug },
      ...(pinned ? { before: pinned } : {}),
      after: named,
    });
  });
}

/** Undefined: the server was deleted, or the result belongs to its old settings. */
async function lockUnmoved(
  tx: Parameters<typeof lockServer>[0],
  server: McpServerRow,
): Promise<McpServerRow | undefined> {
  const present = await findServerById(tx, server.id);
  const locked = present && (await lockServer(tx, present.slug));
  return locked?.id === server.id && locked.upstream_url === server.upstream_url ? locked : undefined;
}
