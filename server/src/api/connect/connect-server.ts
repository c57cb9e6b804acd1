import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiContext } from "#api/kit/api-context";
import { upTo } from "#api/kit/relative-path";
import { requireOwnPage, requireSignIn, type Visitor } from "#api/kit/web-session";
import { field } from "#api/pages/forms";
import { sendErrorPage, sendPage } from "#api/pages/page";
import { reachedServer } from "#api/presenters/reached-server";
import { connectsAutomatically, type KeyOutcome } from "#connect/connect";
import { Refusal } from "#lib/errors";
import { findConnection } from "#records/connections";
import { findUserById, ownedUserIds } from "#records/users";
import type { McpServerRow } from "#storage/server-tables";
import type { WriteAuthor } from "#storage/transaction";
import type { UserRow } from "#storage/user-tables";
import { contactOf, leave } from "./upstream-sign-in.ts";
import { type ConnectPage, connectedPage, connectPage } from "./views.ts";

/** The users that a visitor can connect to this server. */
interface Visit {
  readonly visitor: Visitor;
  readonly server: McpServerRow;
  readonly users: readonly UserRow[];
}

/** `GET /connect/{slug}` (D25). */
export async function showServer(
  context: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const visit = await visitOf(context, request, reply);
  if (!visit) return reply;
  return sendPage(context, reply, 200, connectPage(await pageOf(context, visit)));
}

/** `GET /connect/{slug}/start`: only from our pages, so that no other site starts a sign-in. */
export async function startSignIn(
  context: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const site = request.headers["sec-fetch-site"] ?? "same-origin";
  if (site !== "same-origin" && site !== "none")
    throw new Refusal("forbidden", "the request must come from a Gatehouse page");
  const visit = await visitOf(context, request, reply);
  if (!visit) return reply;
  const { visitor, server } = visit;
  const query = new URL(request.url, "http://any").searchParams;
  const wanted = query.get("for") ?? visitor.user.email;
  const user = visit.users.find(({ email }) => email === wanted);
  if (!user || server.auth_type !== "proxy-oauth") return sendNoServer(context, reply);
  const isPopup = query.get("view") === "popup";
  return leave(context, request, reply, { userId: user.id, server, isPopup, author: authorOf(visitor, request) });
}

/** `POST /connect/{slug}`: the forms of that page, which save an API key or disconnect. */
export async function takeForm(
  context: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const visit = await visitOf(context, request, reply);
  if (!visit) return reply;
  const { visitor, server } = visit;
  requireOwnPage(request, visitor.csrfToken, field(request, "csrf_token"));
  const user = visit.users.find(({ email }) => email === field(request, "for"));
  const author = authorOf(visitor, request);
  if (user && field(request, "act") === "disconnect") {
    await context.connect.disconnect({ user, server }, author);
    const done = `${user.email} is disconnected from ${server.name}. The saved credential is deleted.`;
    return sendPage(context, reply, 200, connectPage({ ...(await pageOf(context, visit)), done }));
  }
  if (!user || server.auth_type !== "proxy-api-key") return sendNoServer(context, reply);
  const key = field(request, "key").trim();
  const kept = await context.connect.keepKey({ user, server, key, operation: "connect" }, author);
  if (kept.outcome === "kept") {
    const untried = kept.verified ? undefined : kept.reason;
    const ended = { server, email: user.email, root: upTo(request.url), untried };
    return sendPage(context, reply, 200, connectedPage(ended));
  }
  const page = { ...(await pageOf(context, visit)), fault: faultOf(kept) };
  return sendPage(context, reply, 400, connectPage(page));
}

function faultOf(kept: Exclude<KeyOutcome, { outcome: "kept" }>): string {
  switch (kept.outcome) {
    case "refused":
      return kept.message;
    case "unsendable":
      return "This is not a valid API key. It is empty, too long, or contains characters that are not allowed.";
    case "server-changed":
      return "The server's settings changed. Reload this page and try again.";
  }
}

function authorOf({ user }: Visitor, { id, ip }: FastifyRequest): WriteAuthor {
  return { actor: { kind: "user", id: user.id, name: user.email }, requestId: id, address: ip };
}

async function visitOf(context: ApiContext, request: FastifyRequest, reply: FastifyReply): Promise<Visit | undefined> {
  const visitor = await requireSignIn(context, request, reply);
  if (!visitor) return undefined;
  const { slug = "" } = request.params as { slug?: string }; // the route has this one parameter
  const { main: db } = context.databases;
  const ids = [visitor.user.id, ...(await ownedUserIds(db, visitor.user.id))];
  let server: McpServerRow | undefined;
  const users: UserRow[] = [];
  for (const user of await Promise.all(ids.map((id) => findUserById(db, id)))) {
    const reached = user && (await reachedServer(db, context, user.id, slug));
    if (!reached) continue;
    server = reached;
    users.push(user);
  }
  if (server) return { visitor, server, users };
  sendNoServer(context, reply);
  return undefined;
}

async function pageOf(context: ApiContext, { visitor, server, users }: Visit): Promise<ConnectPage> {
  const { main: db } = context.databases;
  const subjects = await Promise.all(
    users.map(async (user) => ({
      email: user.email,
      isVisitor: user.id === visitor.user.id,
      connection: await findConnection(db, user.id, server.id),
      connectsAutomatically: connectsAutomatically(context.vault, user, server),
    })),
  );
  return { server, subjects, csrfToken: visitor.csrfToken, contact: await contactOf(context) };
}

function sendNoServer(context: ApiContext, reply: FastifyReply): FastifyReply {
  const sentence = "This server does not exist, or none of your groups has access to it. Ask your administrator.";
  return sendErrorPage(context, reply, 404, "Server not found", sentence);
}
