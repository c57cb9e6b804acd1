/**
 * A certified third-party authorization server for an MCP server on another origin, like an organization's identity
 * provider. Its users always consent.
 */
import { generateKeyPairSync } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import Provider, { type Configuration } from "oidc-provider";
import { type Loopback, listenOnLoopback } from "../upstreams/loopback.ts";

export interface Certified {
  readonly issuer: string;
  /** The MCP endpoint; its metadata names the issuer. */
  readonly url: string;
  /** Opens the authorization URL with a cookie jar, signs in and consents; returns the redirect URL. */
  agree(authorizationUrl: string): Promise<string>;
  close(): Promise<void>;
}

const SCOPE = "tools:call";

export async function startCertified(): Promise<Certified> {
  let handle: (request: IncomingMessage, response: ServerResponse) => unknown = () => {};
  const server: Loopback = await listenOnLoopback((request, response) => void handle(request, response));
  const issuer = server.origin;
  const resource: Loopback = await listenOnLoopback((request, response) => {
    if (request.url === "/.well-known/oauth-protected-resource/mcp") {
      response.writeHead(200, { "content-type": "application/json" });
      const document = {
        resource: `${resource.origin}/mcp`,
        authorization_servers: [issuer],
        scopes_supported: [SCOPE],
      };
      return void response.end(JSON.stringify(document));
    }
    response.writeHead(request.url === "/mcp" ? 401 : 404, { "www-authenticate": "Bearer" }).end();
  });
  const provider = new Provider(issuer, configuration(`${resource.origin}/mcp`));
  const callback = provider.callback();
  handle = (request, response) =>
    request.url?.startsWith("/interaction/") ? agreeTo(provider, request, response) : callback(request, response);
  return {
    issuer,
    url: `${resource.origin}/mcp`,
    agree: (authorizationUrl) => follow(authorizationUrl, issuer),
    async close() {
      await server.close();
      await resource.close();
    },
  };
}

function configuration(resource: string): Configuration {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return {
    // Required by the library; the tokens used here are not JWTs.
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig", alg: "RS256" } as never] },
    cookies: { keys: ["for tests"] },
    scopes: ["openid", "offline_access"],
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, indicator) => {
          if (indicator !== resource) throw new Error("unknown resource");
          return { scope: SCOPE, accessTokenFormat: "opaque" };
        },
        useGrantedResource: () => true,
      },
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    rotateRefreshToken: true,
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed("refresh_token"),
  };
}

/** Signs in as one user and grants everything that was requested. */
async function agreeTo(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === "login") {
    return provider.interactionFinished(request, response, { login: { accountId: "ada" } });
  }
  const grant = new provider.Grant({ accountId: session?.accountId ?? "ada", clientId: String(params.client_id) });
  grant.addOIDCScope("openid offline_access");
  grant.addResourceScope(String(params.resource), SCOPE);
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}

async function follow(start: string, origin: string): Promise<string> {
  const cookies = new Map<string, string>();
  for (let url = start, hops = 0; hops < 10; hops++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(url, { redirect: "manual", headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get("location");
    if (location === null) throw new Error(`no redirect: ${answer.status} ${await answer.text()}`);
    url = new URL(location, origin).href;
    if (!url.startsWith(origin)) return url;
  }
  throw new Error("too many redirects");
}
