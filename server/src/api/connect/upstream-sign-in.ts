import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiContext } from "#api/kit/api-context";
import { readCookie, setCookie } from "#api/kit/cookies";
import { upTo } from "#api/kit/relative-path";
import { type Visitor, visitorOf } from "#api/kit/web-session";
import { sendErrorPage, sendPage } from "#api/pages/page";
import { ConnectRefused, DiscoveryFailed } from "#connect/connect";
import { randomBase62 } from "#lib/random";
import { hasValidChecksum } from "#lib/tokens";
import { findConnectLink, takeConnectLink } from "#records/connect-links";
import { findServerById } from "#records/mcp-servers";
import { readSettings } from "#records/settings";
import { findUserById, ownedUserIds } from "#records/users";
import type { MainDb } from "#storage/database";
import type { McpServerRow } from "#storage/server-tables";
import type { WriteAuthor } from "#storage/transaction";
import { type Contact, connectedPage, notConnectedPage } from "./views.ts";

const BROWSER_SECRET_LENGTH = 43;

interface Leaving {
  readonly userId: string;
  readonly server: McpServerRow;
  readonly author: WriteAuthor;
  readonly isPopup?: boolean;
}

/** Sends the browser to the customer's sign-in, bound to this browser by a cookie (OA-1). */
export async function leave(
  context: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { userId, server, author, isPopup }: Leaving,
): Promise<FastifyReply> {
  const known = readCookie(context.baseUrl, request, "connect");
  const browser = known?.length === BROWSER_SECRET_LENGTH ? known : randomBase62(context.random, BROWSER_SECRET_LENGTH);
  try {
    const url = await context.connect.begin({ user: { id: userId }, server, browser, isPopup }, author);
    if (browser !== known) setCookie(context.baseUrl, reply, "connect", browser);
    return reply.redirect(url, 302);
  } catch (error) {
    if (!(error instanceof DiscoveryFailed)) throw error;
    context.logger.warn({ server: server.slug, reason: error.message, steps: error.steps }, "OAuth discovery failed");
    const sentence = `${server.name} cannot be connected yet: ${error.message}. An administrator can see each step with "Discover OAuth Settings".`;
    const told = { sentence, root: upTo(request.url), contact: await contactOf(context), server };
    return sendPage(context, reply, 400, notConnectedPage({ title: "OAuth Discovery Failed", ...told }));
  }
}

/** `GET /connect/link/{token}`: the link identifies the user. */
export async function openLink(
  context: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // A prefetch must not use the link.
  if (/prefetch|preview/i.test(`${request.headers["sec-purpose"] ?? ""} ${request.headers.purpose ?? ""}`)) {
    return reply.code(204).send();
  }
  const { token = "" } = request.params as { token?: string }; // the route has this one parameter
  const { main: db } = context.databases;
  const now = context.clock.now();
  const link = hasValidChecksum(token) ? await findConnectLink(db, token, now) : undefined;
  const user = link && (await findUserById(db, link.userId));
  const server = link && (await findServerById(db, link.serverId));
  if (!user || user.disabled || server?.auth_type !== "proxy-oauth") return sendUsedUp(context, reply);
  const visitor = await visitorOf(context, request);
  if (visitor && !(await maySpeakFor(db, visitor, user.id))) {
    const sentence = `It connects ${user.email}, but you are signed in as ${visitor.user.email}. The sender could use your ${server.name} account. If the link is meant for you, sign out and open it again.`;
    return sendErrorPage(context, reply, 403, "This link is for another user", sentence);
  }
  if (!(await takeConnectLink(db, token, now))) return sendUsedUp(context, reply);
  const author = { actor: { kind: "user", id: user.id, name: user.email }, requestId: request.id } as const;
  return leave(context, request, reply, { userId: user.id, server, author });
}

export async function contactOf({ databases }: Pick<ApiContext, "databases">): Promise<Contact> {
  return (await readSettings(databases.main)).help_contact;
}

function sendUsedUp(context: ApiContext, reply: FastifyReply): FastifyReply {
  const sentence = "This link was already used or expired after 10 minutes. Request a new one.";
  return sendErrorPage(context, reply, 410, "This link has expired", sentence);
}

/** OA-1: a signed-in visitor cannot connect their account for another user. */
async function maySpeakFor(db: MainDb, { user }: Visitor, userId: string): Promise<boolean> {
  return user.id === userId || (await ownedUserIds(db, user.id)).includes(userId);
}

/** `{callback_url}` of Spec 4.6. It never redirects to a URL of the request (OA-9). */
export async function comeBack(
  context: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const query = new URL(request.url, "http://any").searchParams;
  const browser = readCookie(context.baseUrl, request, "connect");
  const { server: serverId } = request.params as { server?: string }; // the route's only parameter
  try {
    const finished = await context.connect.finish({ query, serverId, browser, requestId: request.id });
    if (finished.outcome === "again") return await reply.redirect(finished.url, 302);
    const { user, server, isPopup } = finished;
    const ended = { server, email: user.email, root: upTo(request.url), isPopup };
    return sendPage(context, reply, 200, connectedPage(ended));
  } catch (error) {
    if (!(error instanceof ConnectRefused)) throw error;
    const told = { sentence: error.message, root: upTo(request.url), contact: await contactOf(context) };
    return sendPage(context, reply, 400, notConnectedPage({ title: "Not connected", ...told }));
  }
}
