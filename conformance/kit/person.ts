/** A person with a browser, and an installation with a known URL. */
import { apiOf, startGatehouse } from "./gatehouse.ts";
import { startProxy } from "./proxy.ts";

export interface PersonsInstallation {
  /** The gateway URL for clients. */
  readonly gatewayUrl: string;
  /** Advertises client ID metadata documents, although the installation has no internet to read them. */
  advertiseDocuments(): Promise<unknown>;
  readonly issuer: string;
  readonly slug: string;
  /** Opens the client's authorization URL, signs in, confirms, and returns the callback URL. */
  agree(authorizationUrl: string | URL): Promise<URL>;
  stop(): Promise<void>;
}

const EMAIL = "ada@example.com";
const PASSWORD = "vermilion-otter-9-plinth";
const NAME = "suite";

export async function startForPerson(upstreamUrl: string): Promise<PersonsInstallation> {
  // The URL must be known before the start, so it is the URL of a proxy that forwards everything.
  const destination = { url: "" };
  const proxy = await startProxy(destination);
  const issuer = new URL(proxy.url).origin;
  const gatehouse = await startGatehouse({ publicUrl: issuer, gatewayIsPublic: true });
  destination.url = `${gatehouse.url}/mcp`;
  const api = apiOf(gatehouse);
  await api("POST", "/api/mcp-servers", { name: NAME, mcp_proxy: JSON.stringify({ type: "http", url: upstreamUrl }) });
  const synced = (await api("POST", `/api/mcp-servers/${NAME}/sync`)).data;
  if (synced.sync_error !== null) throw new Error(`the sync failed: ${synced.sync_error}`);
  await api("POST", "/api/users", { name: "Ada", email: EMAIL });
  await api("POST", "/api/groups", { name: NAME });
  await api("POST", `/api/groups/${NAME}/integrations`, { slugs: [NAME] });
  await api("POST", `/api/groups/${NAME}/users`, { emails: [EMAIL] });
  const { invite_url } = await api("POST", `/api/users/invite?email=${EMAIL}`);
  const invited = new Browser(issuer);
  await invited.open(`${issuer}/invite`);
  await invited.submit({ code: invite_url, password: PASSWORD });
  return {
    gatewayUrl: `${issuer}/mcp`,
    issuer,
    slug: NAME,
    advertiseDocuments: () => api("PATCH", "/api/settings", { client_id_documents: "on" }),
    agree: (authorizationUrl) => new Browser(issuer).agree(String(authorizationUrl)),
    async stop() {
      proxy.close();
      await gatehouse.stop();
    },
  };
}

/** A minimal browser: it stores cookies, follows internal redirects, and submits the form of its page. */
class Browser {
  readonly #home: string;
  readonly #cookies = new Map<string, string>();
  #page = { url: "", text: "" };

  constructor(home: string) {
    this.#home = home;
  }

  async agree(start: string): Promise<URL> {
    let left = await this.open(start);
    if (!left && this.#page.url.includes("/sign-in")) left = await this.submit({ email: EMAIL, password: PASSWORD });
    if (!left && this.#page.url.includes("/oauth/consent/")) left = await this.submit({ decision: "allow" });
    if (!left) throw new Error(`the browser stayed at ${this.#page.url}: ${this.#page.text}`);
    return left;
  }

  /** Returns the external URL that it was redirected to, if any. */
  open(url: string): Promise<URL | undefined> {
    return this.#go(url, { method: "GET" });
  }

  submit(fields: Record<string, string>): Promise<URL | undefined> {
    const hidden = this.#page.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
    const body = new URLSearchParams([
      ...Array.from(hidden, ([, name = "", value = ""]) => [name, value]),
      ...Object.entries(fields),
    ]);
    const action = /<form method="post"(?: action="([^"]*)")?/.exec(this.#page.text)?.[1] ?? "";
    return this.#go(action === "" ? this.#page.url : new URL(action, this.#page.url).href, { method: "POST", body });
  }

  async #go(url: string, init: RequestInit): Promise<URL | undefined> {
    const cookie = Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(url, { ...init, redirect: "manual", headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    this.#page = { url, text: await answer.text() };
    const location = answer.headers.get("location");
    if (location === null) return undefined;
    const next = new URL(location, url);
    return next.origin === this.#home ? this.#go(next.href, { method: "GET" }) : next;
  }
}
