import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

/** An account at the provider, with its claims. */
export interface ProviderAccount {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly groups?: readonly string[];
}

export interface TestIdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The account of the next sign-in. */
  account: ProviderAccount;
  /** Requests for the discovery document. */
  readonly discoveries: string[];
  /** Signs in as that account on the provider's pages; returns the URL that the browser is redirected to. */
  walk(authorizationUrl: string): Promise<URL>;
  close(): Promise<void>;
}

const CLIENT = { clientId: "gatehouse", clientSecret: "a-secret-that-only-the-two-know" };

/** A real OpenID provider on loopback without passwords. */
export async function startIdentityProvider(redirectUri: string): Promise<TestIdentityProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP listener's address is never a path
  const accounts = new Map<string, ProviderAccount>();
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [redirectUri],
        response_types: ["code"],
        grant_types: ["authorization_code"],
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups"] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ["test"] },
    findAccount: async (_context, id) => ({ accountId: id, claims: async () => ({ ...accounts.get(id), sub: id }) }),
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    loadExistingGrant: async (context) => {
      const grant = new provider.Grant({ clientId: CLIENT.clientId, accountId: context.oidc.session?.accountId ?? "" });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
  const handle = provider.callback();
  const idp: TestIdentityProvider = {
    issuer,
    ...CLIENT,
    account: { sub: "unknown" },
    discoveries: [],
    async walk(authorizationUrl) {
      const cookies = new Map<string, string>();
      for (let url = new URL(authorizationUrl); ; ) {
        if (url.origin !== issuer) return url;
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
        const answer = await fetch(url, { headers: { cookie }, redirect: "manual" });
        for (const line of answer.headers.getSetCookie()) {
          const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          cookies.set(name, value);
        }
        const location = answer.headers.get("location");
        if (location === null)
          throw new Error(`the provider does not redirect at ${url.pathname}: ${await answer.text()}`);
        url = new URL(location, url);
      }
    },
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
  server.on("request", (request, response) => {
    if (request.url?.startsWith("/.well-known/")) idp.discoveries.push(request.url);
    if (!request.url?.startsWith("/interaction/")) return void handle(request, response);
    const { account } = idp;
    accounts.set(account.sub, account);
    provider
      .interactionFinished(request, response, { login: { accountId: account.sub } })
      .catch((error: Error) => response.writeHead(500).end(error.message));
  });
  return idp;
}
