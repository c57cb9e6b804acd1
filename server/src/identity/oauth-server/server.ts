/** The OAuth server for people's MCP clients: the library with our own URLs, pages, and records. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import type Provider from "oidc-provider";
import type { InteractionResults } from "oidc-provider";
import { insertGrant } from "#records/oauth-grants";
import { writeTransaction } from "#storage/transaction";
import type { ExchangeCaller } from "../exchange/exchange-context.ts";
import { type Client, personAuthor } from "../identity-context.ts";
import { extendClient } from "./clients.ts";
import type { OAuthServerContext } from "./oauth-server-context.ts";
import { createProvider, type ErrorPage } from "./provider.ts";
import { normalizeParameters, normalizeRegistration, requestFor } from "./requests.ts";
import { onlyPath, resourcePath, SCOPE, serverIdAt } from "./resources.ts";

/** The access that a client requests from a person. */
export interface RequestedConsent {
  readonly clientId: string;
  /** Chosen by the client; not verified. */
  readonly clientName: string;
  /** Identified by a metadata document at its URL. Otherwise it registered itself and is not verified. */
  readonly isDocument: boolean;
  readonly redirectUri: string;
  readonly resource: string;
  /** The requested server; undefined: the whole gateway. */
  readonly slug: string | undefined;
  /** The server that has the slug; undefined: none. */
  readonly serverId: string | undefined;
}

export type OAuthEndpoint = "authorize" | "resume" | "token" | "register" | "revoke";

/** A request with its response, as Node represents them. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Called before each metadata document or key set that the request makes us fetch. */
  readonly mayFetch?: () => boolean;
  /** Counts a wrong credential. Returns the seconds to wait if too many came from the same place before. */
  readonly countWrong?: () => number | undefined;
  /** For identity assertions at the token endpoint. */
  readonly caller?: ExchangeCaller;
}

const MAX_NAME_LENGTH = 100;
/** Lifetime of a grant until its first token is issued. */
const UNUSED_GRANT_MS = 10 * 60 * 1000;

export class OAuthServer {
  readonly #context: OAuthServerContext;
  readonly #errorPage: ErrorPage;
  /** The current request. The library passes only a URL to `fetch`. */
  readonly #current = new AsyncLocalStorage<Pick<Exchange, "mayFetch" | "countWrong" | "caller">>();
  #provider: Promise<Provider> | undefined;

  constructor(context: OAuthServerContext, errorPage: ErrorPage) {
    this.#context = context;
    this.#errorPage = errorPage;
  }

  /** Resolves when the library is loaded, and rejects if that fails. */
  async ready(): Promise<void> {
    await this.#loaded();
  }

  /** Handles a request of a client or of a redirected browser. Errors are sent as responses. */
  async handle(endpoint: OAuthEndpoint, exchange: Exchange, body: Buffer | undefined): Promise<void> {
    const { request, response, mayFetch, countWrong, caller } = exchange;
    const provider = await this.#loaded();
    const url = new URL(request.url ?? "/", "http://any");
    const isNormalized = endpoint === "authorize" || endpoint === "token";
    const given = endpoint === "authorize" ? url.searchParams : new URLSearchParams(body?.toString("utf8"));
    const parameters = isNormalized ? normalizeParameters(this.#context, given, endpoint) : "";
    const target = endpoint === "authorize" ? `${url.pathname}?${parameters}` : url.pathname;
    const sent =
      endpoint === "token" ? Buffer.from(parameters) : endpoint === "register" ? normalizedRegistration(body) : body;
    const seen = requestFor(this.#context, request, target, sent);
    const current = { ...(mayFetch && { mayFetch }), ...(countWrong && { countWrong }), ...(caller && { caller }) };
    await this.#current.run(current, () => provider.callback()(seen, response));
  }

  /** The consent that the browser with this cookie was redirected for; undefined: none, or expired. */
  async requestedConsent(exchange: Exchange): Promise<RequestedConsent | undefined> {
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
      serverId: await serverIdAt(this.#context.databases.main, path),
    };
  }

  /** Returns the next URL for the browser. */
  async allow(
    exchange: Exchange,
    consent: RequestedConsent,
    user: { readonly id: string; readonly email: string },
    client: Pick<Client, "requestId" | "address">,
  ): Promise<string> {
    const provider = await this.#loaded();
    const grant = new provider.Grant({ accountId: user.id, clientId: consent.clientId });
    grant.addResourceScope(consent.resource, SCOPE);
    const grantId = await grant.save();
    await this.#storeGrant(grantId, consent, user, client);
    await extendClient(this.#context, consent.clientId);
    const result = { login: { accountId: user.id, remember: false }, consent: { grantId } };
    return this.#finish(provider, exchange, result);
  }

  async deny(exchange: Exchange): Promise<string> {
    const result = { error: "access_denied", error_description: "The user denied access" };
    return this.#finish(await this.#loaded(), exchange, result);
  }

  async #storeGrant(
    id: string,
    consent: RequestedConsent,
    user: { id: string; email: string },
    client: Pick<Client, "requestId" | "address">,
  ) {
    const { databases, clock, newId } = this.#context;
    const now = clock.now();
    const row = {
      id,
      user_id: user.id,
      client_id: consent.clientId,
      client_name: consent.clientName,
      redirect_uri: consent.redirectUri,
      resource_path: consent.slug === undefined ? null : `/mcp/${consent.slug}`,
      server_id: consent.serverId ?? null,
      created_at: now,
      last_used_at: now,
      expires_at: now + UNUSED_GRANT_MS,
    };
    await writeTransaction({ db: databases.main, clock, newId }, personAuthor(user, client), async (tx, trail) => {
      await insertGrant({ tx, trail }, row);
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
      // The page and the cookie must belong to the same request.
      return request.url?.split("?")[0]?.endsWith(`/${uid}`) ? params : undefined;
    } catch (error) {
      if (error instanceof Error && error.name === "SessionNotFound") return undefined;
      throw error;
    }
  }

  #loaded(): Promise<Provider> {
    const { documents } = this.#context;
    const limited: OAuthServerContext["documents"] = {
      fetch: async (...request) => {
        if (this.#current.getStore()?.mayFetch?.() === false) throw new Error("too many fetches for this IP address");
        return documents.fetch(...request);
      },
      status: () => documents.status(),
    };
    const context = { ...this.#context, documents: limited };
    const current = {
      caller: () => this.#current.getStore()?.caller,
      countWrong: () => this.#current.getStore()?.countWrong?.(),
    };
    this.#provider ??= createProvider(context, this.#errorPage, current).catch((error: unknown) => {
      this.#provider = undefined;
      throw error;
    });
    return this.#provider;
  }
}

function normalizedRegistration(body: Buffer | undefined): Buffer | undefined {
  return body && normalizeRegistration(body);
}

/** Client names are untrusted: one line, without control and direction characters. */
function shownName(name: string | undefined): string {
  const line = (name ?? "").replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return line === "" ? "An unnamed client" : line.slice(0, MAX_NAME_LENGTH).toWellFormed();
}
