/** A customer's MCP server with OAuth, exactly as Spec 4.6 describes it; a request that deviates is refused. */
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface CustomerRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly query: URLSearchParams;
  /** Of a JSON or form body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect requests of every shape
  readonly body: any;
}

export interface Customer {
  readonly url: string;
  readonly origin: string;
  readonly requests: CustomerRequest[];
  /** Changes the metadata document and the registration response. */
  readonly changes: {
    metadata: (document: Record<string, unknown>) => Record<string, unknown>;
    registration: (answer: Record<string, unknown>) => Record<string, unknown>;
    /** In seconds. */
    expiresIn: number;
  };
  to(path: string): CustomerRequest[];
  close(): Promise<void>;
}

interface Issued {
  readonly challenge: string;
  readonly redirectUri: string;
}

type Answer = { status?: number; body?: object; location?: string };

export async function startCustomer(): Promise<Customer> {
  const requests: CustomerRequest[] = [];
  const changes: Customer["changes"] = { metadata: (all) => all, registration: (all) => all, expiresIn: 3600 };
  const codes = new Map<string, Issued>();
  const tokens = new Set<string>();
  let origin = "";
  const handle = (request: CustomerRequest): Answer => {
    switch (`${request.method} ${request.path}`) {
      case "GET /.well-known/oauth-authorization-server":
        return { body: changes.metadata(metadataOf(origin)) };
      case "POST /register":
        return register(request, changes);
      case "GET /authorize":
        return authorize(request, codes);
      case "POST /token":
        return exchange(request, codes, tokens, changes.expiresIn);
      case "POST /mcp":
        return serve(request, tokens);
      default:
        return { status: 404, body: { error: "not found" } };
    }
  };
  const server = createServer(async (incoming, response) => {
    const request = await readRequest(incoming);
    requests.push(request);
    respond(response, handle(request));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on TCP
  origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    url: `${origin}/mcp`,
    requests,
    changes,
    to: (path) => requests.filter((request) => request.path === path),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function metadataOf(origin: string): Record<string, unknown> {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none", "client_secret_post"],
  };
}

function register({ body }: CustomerRequest, { registration }: Customer["changes"]): Answer {
  const { redirect_uris, token_endpoint_auth_method, grant_types, response_types } = body;
  const asked = { redirect_uris, token_endpoint_auth_method, grant_types, response_types };
  if (Object.values(asked).some((value) => value === undefined)) return { status: 400, body: { error: "invalid" } };
  const secret = token_endpoint_auth_method === "none" ? {} : { client_secret: "secret-of-acceptance" };
  return { status: 201, body: registration({ client_id: "acceptance", ...secret, ...asked }) };
}

function authorize({ query }: CustomerRequest, codes: Map<string, Issued>): Answer {
  const { redirect_uri = "", code_challenge = "", ...rest } = Object.fromEntries(query);
  const { response_type, code_challenge_method, state, client_id } = rest;
  const isValid = response_type === "code" && code_challenge_method === "S256" && state && client_id;
  if (!isValid || redirect_uri === "" || code_challenge === "") return { status: 400, body: { error: "invalid" } };
  const code = randomUUID();
  codes.set(code, { challenge: code_challenge, redirectUri: redirect_uri });
  return { status: 302, location: `${redirect_uri}?${new URLSearchParams({ code, state })}` };
}

function exchange(
  { body, headers }: CustomerRequest,
  codes: Map<string, Issued>,
  tokens: Set<string>,
  expiresIn: number,
): Answer {
  const issued = codes.get(body.code ?? "");
  codes.delete(body.code ?? "");
  const challenge = createHash("sha256").update(`${body.code_verifier}`).digest("base64url");
  const isForm = headers["content-type"]?.startsWith("application/x-www-form-urlencoded");
  const isValid = isForm && body.grant_type === "authorization_code" && issued?.challenge === challenge;
  if (!isValid || body.redirect_uri !== issued.redirectUri) return { status: 400, body: { error: "invalid_grant" } };
  const token = `token-${randomUUID()}`;
  tokens.add(token);
  return { body: { access_token: token, token_type: "Bearer", expires_in: expiresIn } };
}

function serve({ headers, body }: CustomerRequest, tokens: Set<string>): Answer {
  const token = headers.authorization?.replace(/^Bearer /, "") ?? "";
  if (!tokens.has(token)) return { status: 401, body: { error: "invalid_token" } };
  const { id, method } = body;
  if (id === undefined) return { status: 202 };
  const initialized = {
    protocolVersion: "2025-06-18",
    capabilities: { tools: {} },
    serverInfo: { name: "customer", version: "1" },
  };
  const whoami = { name: "whoami", description: "Names the token.", inputSchema: { type: "object" } };
  const results: Record<string, object> = {
    initialize: initialized,
    "tools/list": { tools: [whoami] },
    "tools/call": { content: [{ type: "text", text: token }] },
  };
  const result = results[method];
  const answer = result ? { result } : { error: { code: -32601, message: "Method not found" } };
  return { body: { jsonrpc: "2.0", id, ...answer } };
}

async function readRequest(incoming: IncomingMessage): Promise<CustomerRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  const url = new URL(incoming.url ?? "/", "http://any");
  const isForm = incoming.headers["content-type"]?.startsWith("application/x-www-form-urlencoded");
  const parsed = isForm ? Object.fromEntries(new URLSearchParams(text)) : text === "" ? {} : JSON.parse(text);
  const { method = "GET", headers } = incoming;
  return { method, path: url.pathname, headers, query: url.searchParams, body: parsed };
}

function respond(response: ServerResponse, { status = 200, body, location }: Answer): void {
  response.writeHead(status, {
    ...(body && { "content-type": "application/json" }),
    ...(location !== undefined && { location }),
  });
  response.end(body && JSON.stringify(body));
}
