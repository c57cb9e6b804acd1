import type { Api } from "../kit/api.ts";
import type { KnownValues } from "./values-of-schema.ts";

const NOWHERE = "http://127.0.0.1:9/mcp";

/** One record of each noun for the requests; created again after a request deleted it. */
export class FuzzFixtures {
  readonly #api: Api;
  readonly #upstream: string;
  readonly #slug: string;
  readonly #group: string;
  readonly #email: string;
  readonly #botSlug: string;

  constructor(api: Api, upstream: string) {
    this.#api = api;
    this.#upstream = upstream;
    this.#slug = api.unique("fuzz");
    this.#group = api.unique("Fuzz");
    this.#email = `${api.unique("fuzz")}@example.com`;
    this.#botSlug = api.unique("fuzz-bot");
  }

  async create(): Promise<KnownValues> {
    const person = await this.#api.person({ email: this.#email });
    const bot = await this.#api.machineUser({ slug: this.#botSlug });
    await this.#api.serverOf(this.#upstream, { slug: this.#slug });
    await this.#api.group({ name: this.#group });
    const catalog = await this.#api.body(200, "GET", "/api/connectors?limit=2");
    const emails = [this.#email, bot.email];
    return {
      slug: [this.#slug],
      slugs: [this.#slug],
      server: [this.#slug],
      name: [this.#group],
      connector_id: catalog.data.map((entry: { id: string }) => entry.id),
      email: emails,
      emails,
      user: emails,
      owner_ids: [person.id],
      enable: ["echo", "add_numbers"],
      disable: ["echo"],
      "x-service-group": [this.#group],
      mcp_proxy: [JSON.stringify({ type: "http", url: this.#upstream }), JSON.stringify({ url: NOWHERE })],
      fields: ["slug", "slug,tools(name)", "tools", "connection(url),tools(slug,name)", "tools(", "x"],
      authUrl: [NOWHERE],
      tokenUrl: [NOWHERE],
      registrationUrl: [NOWHERE],
      issuer: [NOWHERE],
      resource: [NOWHERE],
      expires_at: ["2100-01-01T00:00:00Z"],
      from: ["2020-01-01T00:00:00Z"],
      to: ["2100-01-01"],
    };
  }

  /** A request may have deleted or renamed any of them. */
  async restore(): Promise<void> {
    const search = async (path: string, word: string) =>
      (await this.#api.body(200, "GET", `${path}?search=${encodeURIComponent(word)}`)).data;
    const server = await this.#api.call("GET", `/api/mcp-servers/${this.#slug}`);
    if (server.status === 404) await this.#api.serverOf(this.#upstream, { slug: this.#slug });
    if ((await search("/api/groups", this.#group)).length === 0) await this.#api.group({ name: this.#group });
    if ((await search("/api/users", this.#email)).length === 0) await this.#api.person({ email: this.#email });
    if ((await search("/api/users", this.#botSlug)).length === 0) await this.#api.machineUser({ slug: this.#botSlug });
  }
}
