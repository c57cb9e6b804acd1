/** A person with a browser, at an installation whose address their clients know. */
import { apiOf, startGatehouse } from "./gatehouse.ts";
import { startProxy } from "./proxy.ts";

export interface PersonsInstallation {
  /** What the person pastes into a client. */
  readonly gatewayUrl: string;
  readonly issuer: string;
  readonly slug: string;
  /** Opens where a client sends the browser, signs in, agrees, and answers where the browser is sent back to. */
  agree(authorizationUrl: string | URL): Promise<URL>;
  stop(): Promise<void>;
}

const EMAIL = "ada@example.com";
const PASSWORD = "vermilion-otter-9-plinth";
const NAME = "suite";

export async function startForPerson(upstreamUrl: string): Promise<PersonsInstallation> {
  // Its address must be known before it starts, and is that of the proxy, which passes everything on.
  const destination = { url: "" };
  const proxy = await startProxy(destination);
  const issuer = new URL(proxy.url).origin;
  const gatehouse = await startGatehouse({ publicUrl: issuer, gatewayIsPublic: true });
  destination.url = `${gatehouse.url}/mcp`;
  const api = apiOf(gatehouse);
  await api("POST", "/api/mcp-servers", { name: NAME, mcp_proxy: JSON.stringify({ type: "http", url: upstreamUrl }) });
  const synced = (await api("POST", `/api/mcp-servers/${NAME}/sync`)).data;
  if (synced.sync_error !== null) throw new Error(`the upstream was not read: ${synced.sync_error}`);
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
    agree: (authorizationUrl) => new Browser(issuer).agree(String(authorizationUrl)),
    async stop() {
      proxy.close();
      await gatehouse.stop();
    },
  };
}

/** As much of a browser as this needs: it keeps cookies, follows redirects at home, and submits the form of its page. */
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

  /** Answers the address outside to which it was sent, if it was. */
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
