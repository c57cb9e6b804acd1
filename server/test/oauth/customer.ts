/**
 * A customer's OAuth-protected MCP server, according to Spec 4.6: MCP server and authorization server on one origin,
 * strict about everything that the contract requires of clients. Every part of its responses can be changed by a test.
 */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Loopback, listenOnLoopback, readBody } from "../upstreams/loopback.ts";

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  /** The query of a GET, or the members of a form or JSON object. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Behavior that a test can change at any time. */
export interface Behaviour {
  metadata: (sound: Record<string, unknown>) => unknown;
  registration: (sound: Record<string, unknown>) => unknown;
  token: (sound: Record<string, unknown>) => unknown;
  /** RFC 9728 documents by path; none by default, as in Spec 4.6. */
  resources: Record<string, unknown>;
  /** Methods that the MCP endpoint answers without a token. */
  openMethods: readonly string[];
  /** The text after `Bearer` in a 401. */
  challenge: string;
  expiresInSeconds: number | undefined;
  /** Changes the format of created secrets, codes and tokens; unchanged by default. */
  spell: (secret: string) => string;
  /** Responses that replace the valid ones, by path. */
  instead: Record<string, (response: ServerResponse) => void>;
}

export interface Customer {
  readonly origin: string;
  /** The MCP endpoint. */
  readonly url: string;
  readonly seen: Seen[];
  readonly behaviour: Behaviour;
  /** Requests to a path. */
  to(path: string): Seen[];
  /** Acts as a browser whose user consents: opens the authorization URL and returns the redirect URL. */
  agree(authorizationUrl: string): Promise<string>;
  /** Revokes a token. */
  revokeToken(token: string): void;
  /** Forgets all clients, as after data loss: clients must register again. */
  forgetClients(): void;
  /** A key that the MCP endpoint accepts like a token. */
  allowKey(key: string): void;
  /** Every valid access token. */
  goodTokens(): string[];
  close(): Promise<void>;
}

interface Registered {
  readonly redirectUris: unknown;
  readonly method: string;
  readonly secret: string | undefined;
}

interface Grant {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly resource: string | undefined;
}

class OAuthFault extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, description: string, status = 400) {
    super(description);
    this.code = code;
    this.status = status;
  }
}

export async function startCustomer(given: Partial<Behaviour> = {}): Promise<Customer> {
  const behaviour: Behaviour = {
    metadata: (sound) => sound,
    registration: (sound) => sound,
    token: (sound) => sound,
    resources: {},
    openMethods: [],
    challenge: 'realm="customer"',
    expiresInSeconds: 3_600,
    spell: (secret) => secret,
    instead: {},
    ...given,
  };
  const seen: Seen[] = [];
  const state = new CustomerState(behaviour);
  const loopback: Loopback = await listenOnLoopback((request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (error instanceof OAuthFault) {
        return json(response, error.status, { error: error.code, error_description: error.message });
      }
      json(response, 500, { error: String(error) });
    });
  });
  const { origin } = loopback;
  state.origin = origin;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", origin);
    const text = (await readBody(request)).toString("utf8");
    const call = seenOf(request, url, text);
    seen.push(call);
    const instead = behaviour.instead[url.pathname];
    if (instead) return instead(response);
    if (url.pathname in behaviour.resources) return json(response, 200, behaviour.resources[url.pathname]);
    switch (`${call.method} ${url.pathname}`) {
      case "GET /.well-known/oauth-authorization-server":
        return json(response, 200, behaviour.metadata(state.metadata()));
      case "POST /register":
        return json(response, 201, behaviour.registration(state.register(call)));
      case "GET /authorize":
        return void response.writeHead(302, { location: state.authorize(call) }).end();
      case "POST /token":
        return json(response, 200, behaviour.token(state.token(call)));
      case "POST /revoke":
        state.revoke(String(call.fields.token));
        return json(response, 200, {});
      case "POST /mcp":
        return state.mcp(call, response);
    }
    json(response, 404, { error: "not found" });
  }

  return {
    origin,
    url: `${origin}/mcp`,
    seen,
    behaviour,
    to: (path) => seen.filter((call) => call.path === path),
    async agree(authorizationUrl) {
      const answer = await fetch(authorizationUrl, { redirect: "manual" });
      const location = answer.headers.get("location");
      if (location === null) throw new Error(`no redirect: ${answer.status} ${await answer.text()}`);
      return location;
    },
    revokeToken: (token) => state.revoke(token),
    forgetClients: () => state.forgetClients(),
    allowKey: (key) => void state.accessTokens.set(key, { clientId: "" }),
    goodTokens: () => [...state.accessTokens.keys()],
    close: () => loopback.close(),
  };
}

function seenOf(request: IncomingMessage, url: URL, text: string): Seen {
  const type = request.headers["content-type"];
  const form = type === "application/x-www-form-urlencoded" ? new URLSearchParams(text) : url.searchParams;
  const fields = type?.startsWith("application/json") ? JSON.parse(text || "{}") : Object.fromEntries(form);
  return {
    method: request.method ?? "",
    path: url.pathname,
    authorization: request.headers.authorization,
    contentType: type,
    fields,
  };
}

/** Clients, codes and tokens, with the checks of Spec 4.6. */
class CustomerState {
  origin = "";
  readonly accessTokens = new Map<string, { readonly clientId: string }>();
  readonly #refreshTokens = new Map<string, { readonly clientId: string }>();
  readonly #clients = new Map<string, Registered>();
  readonly #codes = new Map<string, Grant>();
  readonly #behaviour: Behaviour;
  #made = 0;

  constructor(behaviour: Behaviour) {
    this.#behaviour = behaviour;
  }

  metadata(): Record<string, unknown> {
    const at = (path: string) => `${this.origin}${path}`;
    return {
      issuer: this.origin,
      authorization_endpoint: at("/authorize"),
      token_endpoint: at("/token"),
      registration_endpoint: at("/register"),
      response_types_supported: ["code"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none", "client_secret_post"],
    };
  }

  forgetClients(): void {
    this.#clients.clear();
  }

  register({ contentType, fields }: Seen): Record<string, unknown> {
    const { redirect_uris: uris, token_endpoint_auth_method: method, grant_types, response_types } = fields;
    demand(contentType === "application/json", "invalid_client_metadata", "must be JSON");
    demand(Array.isArray(uris) && uris.length === 1, "invalid_redirect_uri", "redirect_uris must be an array");
    demand(Array.isArray(grant_types) && Array.isArray(response_types), "invalid_client_metadata", "members missing");
    demand(typeof method === "string", "invalid_client_metadata", "token_endpoint_auth_method missing");
    const clientId = `client-${++this.#made}`;
    const secret = method === "none" ? undefined : this.#behaviour.spell(`secret-of-${clientId}`);
    this.#clients.set(clientId, { redirectUris: uris, method, secret });
    return {
      client_id: clientId,
      redirect_uris: uris,
      token_endpoint_auth_method: method,
      grant_types,
      response_types,
      ...(secret === undefined ? {} : { client_secret: secret }),
    };
  }

  authorize({ fields }: Seen): string {
    const { client_id, redirect_uri, response_type, code_challenge, code_challenge_method, resource } = fields;
    const client = this.#clients.get(String(client_id));
    demand(client !== undefined, "invalid_client", "unknown client");
    const uris = client.redirectUris;
    demand(Array.isArray(uris) && uris.includes(redirect_uri), "invalid_request", "redirect_uri");
    demand(response_type === "code" && code_challenge_method === "S256", "invalid_request", "code with S256");
    demand(/^[\w-]{43}$/.test(String(code_challenge)), "invalid_request", "code_challenge");
    demand(typeof fields.state === "string", "invalid_request", "state");
    const code = this.#behaviour.spell(`code-${++this.#made}`);
    this.#codes.set(code, {
      clientId: String(client_id),
      redirectUri: String(redirect_uri),
      challenge: String(code_challenge),
      resource: resource === undefined ? undefined : String(resource),
    });
    const back = new URL(String(redirect_uri));
    back.searchParams.set("code", code);
    back.searchParams.set("state", fields.state);
    return back.href;
  }

  token(call: Seen): Record<string, unknown> {
    demand(call.contentType === "application/x-www-form-urlencoded", "invalid_request", "must be a form");
    const clientId = this.#authenticated(call);
    const { fields } = call;
    if (fields.grant_type === "refresh_token") {
      const token = String(fields.refresh_token);
      const known = this.#refreshTokens.get(token);
      demand(known?.clientId === clientId, "invalid_grant", "unknown refresh token");
      this.#refreshTokens.delete(token);
      return this.#issue(clientId);
    }
    if (fields.grant_type === "client_credentials") return this.#issue(clientId);
    demand(fields.grant_type === "authorization_code", "unsupported_grant_type", "grant_type");
    const grant = this.#codes.get(String(fields.code));
    this.#codes.delete(String(fields.code));
    demand(grant?.clientId === clientId, "invalid_grant", "unknown code");
    demand(grant.redirectUri === fields.redirect_uri, "invalid_grant", "redirect_uri");
    const verified = createHash("sha256").update(String(fields.code_verifier)).digest("base64url");
    demand(verified === grant.challenge, "invalid_grant", "code_verifier");
    demand(fields.resource === grant.resource, "invalid_target", "resource");
    return this.#issue(clientId);
  }

  /** Authenticates a client, including one that was configured manually. */
  #authenticated({ authorization, fields }: Seen): string {
    const [basicId, basicSecret] = authorization?.startsWith("Basic ")
      ? Buffer.from(authorization.slice(6), "base64").toString("utf8").split(":").map(decodeURIComponent)
      : [undefined, undefined];
    const clientId = basicId ?? String(fields.client_id);
    const secret = basicSecret ?? fields.client_secret;
    if (clientId.startsWith("by-hand")) {
      demand(secret === `secret-of-${clientId}`, "invalid_client", "wrong secret", 401);
      return clientId;
    }
    const client = this.#clients.get(clientId);
    demand(client !== undefined, "invalid_client", "unknown client", 401);
    demand(client.secret === secret, "invalid_client", "wrong secret", 401);
    const used = basicId === undefined ? (secret === undefined ? "none" : "client_secret_post") : "client_secret_basic";
    demand(used === client.method, "invalid_client", `not by ${client.method}`, 401);
    return clientId;
  }

  #issue(clientId: string): Record<string, unknown> {
    const n = ++this.#made;
    const { expiresInSeconds, spell } = this.#behaviour;
    const [accessToken, refreshToken] = [spell(`access-${n}`), spell(`refresh-${n}`)];
    this.accessTokens.set(accessToken, { clientId });
    this.#refreshTokens.set(refreshToken, { clientId });
    return {
      access_token: accessToken,
      token_type: "Bearer",
      ...(expiresInSeconds === undefined ? {} : { expires_in: expiresInSeconds }),
      refresh_token: refreshToken,
    };
  }

  revoke(token: string): void {
    this.accessTokens.delete(token);
    this.#refreshTokens.delete(token);
  }

  mcp({ authorization, fields }: Seen, response: ServerResponse): void {
    const isOpen = this.#behaviour.openMethods.includes(String(fields.method));
    if (!isOpen && !this.accessTokens.has(authorization?.replace(/^Bearer /, "") ?? "")) {
      response.setHeader("www-authenticate", `Bearer ${this.#behaviour.challenge}`);
      return json(response, 401, { error: "invalid_token" });
    }
    if (fields.id === undefined) return void response.writeHead(202).end();
    json(response, 200, { jsonrpc: "2.0", id: fields.id, result: mcpResult(fields, authorization ?? "") });
  }
}

function mcpResult({ method, params }: Seen["fields"], authorization: string): object {
  if (method === "initialize") {
    // Returns the requested version, like old servers.
    const { protocolVersion } = params as { protocolVersion: string };
    return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "customer", version: "1" } };
  }
  if (method === "tools/list") return { tools: [{ name: "whoami", inputSchema: { type: "object" } }] };
  return { content: [{ type: "text", text: authorization }] };
}

function demand(holds: boolean, code: string, description: string, status?: number): asserts holds {
  if (!holds) throw new OAuthFault(code, description, status);
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(body));
}
