/** The OAuth server to which people's MCP clients connect: the library behind our own addresses, pages and records. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import type Provider from "oidc-provider";
import type { InteractionResults } from "oidc-provider";
import type { EgressFetch } from "#egress/egress";
import { insertGrant } from "#records/oauth-grants";
import { writeTransaction } from "#storage/transaction";
import { type Client, personAuthor } from "../identity-context.ts";
import { prolongClient } from "./clients.ts";
import type { OAuthServerContext } from "./oauth-server-context.ts";
import { createProvider, type ErrorPage } from "./provider.ts";
import { inOurWords, registrationInOurWords, requestFor } from "./requests.ts";
import { onlyPath, resourcePath, SCOPE } from "./resources.ts";

/** What a client asks a person for. */
export interface AskedConsent {
  readonly clientId: string;
  /** As it calls itself. */
  readonly clientName: string;
  /** It is known by a document at its own address; else it registered, and could be anybody. */
  readonly isDocument: boolean;
  readonly redirectUri: string;
  readonly resource: string;
  /** The one server that is meant; undefined: the whole gateway. */
  readonly slug: string | undefined;
}

export type OAuthEndpoint = "authorize" | "resume" | "token" | "register" | "revoke";

/** A browser's request to us, as node has it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Asked before each document or key set that the request makes us fetch. */
  readonly mayFetch?: () => boolean;
}

const LONGEST_NAME = 100;
/** Until the client has fetched its first token. */
const UNUSED_GRANT_MS = 10 * 60 * 1000;

export class OAuthServer {
  readonly #context: OAuthServerContext;
  readonly #errorPage: ErrorPage;
  /** Of the request on whose account something is fetched: the library knows only addresses. */
  readonly #mayFetch = new AsyncLocalStorage<Exchange["mayFetch"]>();
  #provider: Promise<Provider> | undefined;

  constructor(context: OAuthServerContext, errorPage: ErrorPage) {
    this.#context = context;
    this.#errorPage = errorPage;
  }

  /** Resolves when requests can be answered; what is wrong until then is told here. */
  async ready(): Promise<void> {
    await this.#loaded();
  }

  /** Answers a client, or a browser that a client has sent. Whatever goes wrong is an answer too. */
  async answer(endpoint: OAuthEndpoint, exchange: Exchange, body: Buffer | undefined): Promise<void> {
    const { request, response, mayFetch } = exchange;
    const provider = await this.#loaded();
    const url = new URL(request.url ?? "/", "http://any");
    const isWorded = endpoint === "authorize" || endpoint === "token";
    const given = endpoint === "authorize" ? url.searchParams : new URLSearchParams(body?.toString("utf8"));
    const words = isWorded ? inOurWords(this.#context, given, endpoint) : "";
    const target = endpoint === "authorize" ? `${url.pathname}?${words}` : url.pathname;
    const sent = endpoint === "token" ? Buffer.from(words) : endpoint === "register" ? registered(body) : body;
    const seen = requestFor(this.#context, request, target, sent);
    await this.#mayFetch.run(mayFetch, () => provider.callback()(seen, response));
  }

  /** What the browser that holds this request's cookie was sent to us for; undefined: nothing, or no longer. */
  async asked(exchange: Exchange): Promise<AskedConsent | undefined> {
    const provider = await this.#loaded();
    const params = await this.#paramsOf(provider, exchange);
    const clientId = params?.client_id;
    const client = typeof clientId === "string" ? await provider.Client.find(clientId) : undefined;
    if (!client || typeof params?.redirect_uri !== "string" || typeof params.resource !== "string") return undefined;
    const path = resourcePath(this.#context.gatewayUrl, params.resource);
    if (path === undefined) return undefined;
    return {
      clientId: client.clientId,
      clientName: shownName(client.clientName),
      isDocument: client.clientId.startsWith("https://"),
      redirectUri: params.redirect_uri,
      resource: params.resource,
      slug: onlyPath(path)?.split("/").at(-1),
    };
  }

  /** Where the browser goes on. */
  async allow(
    exchange: Exchange,
    asked: AskedConsent,
    user: { readonly id: string; readonly email: string },
    client: Pick<Client, "requestId" | "address">,
  ): Promise<string> {
    const provider = await this.#loaded();
    const grant = new provider.Grant({ accountId: user.id, clientId: asked.clientId });
    grant.addResourceScope(asked.resource, SCOPE);
    const grantId = await grant.save();
    await this.#keepGrant(grantId, asked, user, client);
    await prolongClient(this.#context, asked.clientId);
    const result = { login: { accountId: user.id, remember: false }, consent: { grantId } };
    return this.#finish(provider, exchange, result);
  }

  async deny(exchange: Exchange): Promise<string> {
    const result = { error: "access_denied", error_description: "The user did not agree" };
    return this.#finish(await this.#loaded(), exchange, result);
  }

  async #keepGrant(
    id: string,
    asked: AskedConsent,
    user: { id: string; email: string },
    client: Pick<Client, "requestId" | "address">,
  ) {
    const { databases, clock, newId } = this.#context;
    const now = clock.now();
    const row = {
      id,
      user_id: user.id,
      client_id: asked.clientId,
      client_name: asked.clientName,
      redirect_uri: asked.redirectUri,
      resource_path: asked.slug === undefined ? null : `/mcp/${asked.slug}`,
      created_at: now,
      last_used_at: now,
      expires_at: now + UNUSED_GRANT_MS,
    };
    await writeTransaction({ db: databases.main, clock, newId }, personAuthor(user, client), async (tx, trail) => {
      await insertGrant(tx, row);
      const { client_id, client_name, redirect_uri, resource_path } = row;
      trail.audit({
        operation: "connectClient",
        target: { kind: "user", id: user.id, name: user.email },
        after: { client_id, client_name, redirect_uri, resource_path },
      });
    });
  }

  #finish(provider: Provider, { request, response }: Exchange, result: InteractionResults): Promise<string> {
    const seen = requestFor(this.#context, request, request.url ?? "/", undefined);
    return provider.interactionResult(seen, response, result, { mergeWithLastSubmission: false });
  }

  async #paramsOf(provider: Provider, { request, response }: Exchange): Promise<Record<string, unknown> | undefined> {
    try {
      const seen = requestFor(this.#context, request, request.url ?? "/", undefined);
      const { uid, params } = await provider.interactionDetails(seen, response);
      // The page that the browser shows and the cookie that it holds are of one request.
      return request.url?.split("?")[0]?.endsWith(`/${uid}`) ? params : undefined;
    } catch (error) {
      if (error instanceof Error && error.name === "SessionNotFound") return undefined;
      throw error;
    }
  }

  #loaded(): Promise<Provider> {
    const fetch: EgressFetch = async (...asked) => {
      if (this.#mayFetch.getStore()?.() === false) throw new Error("this address had enough fetched");
      return this.#context.fetch(...asked);
    };
    this.#provider ??= createProvider({ ...this.#context, fetch }, this.#errorPage).catch((error: unknown) => {
      this.#provider = undefined;
      throw error;
    });
    return this.#provider;
  }
}

function registered(body: Buffer | undefined): Buffer | undefined {
  return body && registrationInOurWords(body);
}

/** Names come from strangers: one line, without what would hide or turn around what stands beside it. */
function shownName(name: string | undefined): string {
  const line = (name ?? "").replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return line === "" ? "A client without a name" : line.slice(0, LONGEST_NAME).toWellFormed();
}
