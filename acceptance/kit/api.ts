import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { OutgoingHttpHeaders } from "node:http";
import { ApiDocument } from "./document.ts";
import { type Answer, type HttpCall, send } from "./http.ts";
import type { Target } from "./target.ts";

export interface MachineUser {
  readonly id: string;
  readonly email: string;
  /** `<ACCESS_KEY>:<SECRET>`, as the gateway expects it. */
  readonly credential: string;
}

/** The administration API and the gateway of one target. Every response is validated against the API document. */
export class Api {
  readonly target: Target;
  readonly #toDelete = new Set<string>();
  #document: Promise<ApiDocument> | undefined;

  constructor(target: Target) {
    this.target = target;
  }

  /** A name that is unique in the target, valid as a name, a slug, and the local part of an email. */
  unique(prefix: string): string {
    return `${prefix}-${randomBytes(6).toString("hex")}`;
  }

  document(): Promise<ApiDocument> {
    this.#document ??= ApiDocument.read(this.target.url);
    return this.#document;
  }

  /** Sends a request without a token, and without a content type unless given. */
  async send(path: string, call: HttpCall = {}): Promise<Answer> {
    const answer = await send(this.target.url, path, call);
    const document = await this.document();
    document.judge(call.method ?? "GET", path, answer);
    this.#remember(call.method ?? "GET", path, answer);
    return answer;
  }

  /** Sends a request with the token of the run, and a body as JSON. */
  call(method: string, path: string, body?: unknown, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
    return this.send(path, {
      method,
      headers: {
        authorization: `Bearer ${this.target.token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** Sends a request, and requires exactly this status and body. */
  async expect(status: number, wanted: unknown, method: string, path: string, body?: unknown): Promise<void> {
    const answer = await this.call(method, path, body);
    assert.deepEqual([answer.status, answer.body], [status, wanted], `${method} ${path} ${JSON.stringify(body)}`);
  }

  /** Sends a request, and requires the validation error of Spec 7 with this message. */
  async invalid(message: string, method: string, path: string, body?: unknown): Promise<void> {
    await this.expect(400, { code: "INVALID_FORMAT", message }, method, path, body);
  }

  /** The body of a response with this status; fails with any other status. */
  async body(
    status: number,
    method: string,
    path: string,
    body?: unknown,
    headers?: OutgoingHttpHeaders,
  ): Promise<Answer["body"]> {
    const answer = await this.call(method, path, body, headers);
    assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`);
    return answer.body;
  }

  async server(body: object = {}): Promise<string> {
    const { data } = await this.body(201, "POST", "/api/mcp-servers", { name: this.unique("server"), ...body });
    return data.slug;
  }

  /** Creates a server for this upstream and syncs its tools. */
  async serverOf(url: string, body: object = {}): Promise<string> {
    const slug = await this.server({ mcp_proxy: JSON.stringify({ type: "http", url }), ...body });
    const { data } = await this.body(200, "POST", `/api/mcp-servers/${slug}/sync`);
    assert.equal(data.sync_error, null);
    return slug;
  }

  async group({ slugs = [], emails = [], ...body }: GroupContent = {}): Promise<string> {
    const { data } = await this.body(201, "POST", "/api/groups", { name: this.unique("group"), ...body });
    const path = `/api/groups/${encodeURIComponent(data.name)}`;
    if (slugs.length > 0) await this.body(200, "POST", `${path}/integrations`, { slugs });
    if (emails.length > 0) await this.body(200, "POST", `${path}/users`, { emails });
    return data.name;
  }

  async person(body: object = {}): Promise<{ id: string; email: string }> {
    const name = this.unique("person");
    const { data } = await this.body(201, "POST", "/api/users", { name, email: `${name}@example.com`, ...body });
    return data;
  }

  async machineUser(body: object = {}): Promise<MachineUser> {
    const asked = { is_machine_user: true, name: this.unique("bot"), ...body };
    const { data, credentials } = await this.body(201, "POST", "/api/users", asked);
    return { id: data.id, email: data.email, credential: `${credentials.client_id}:${credentials.secret}` };
  }

  async tokenWith(...scopes: string[]): Promise<string> {
    const { token } = await this.body(201, "POST", "/api/api-tokens", { name: this.unique("token"), scopes });
    return token;
  }

  /** Sends only the three headers of Spec 4.5. */
  async mcp(credential: string, method: string, params: object = {}): Promise<Answer> {
    const answer = await send(this.target.gatewayUrl, "/mcp", {
      method: "POST",
      headers: {
        authorization: `Bearer ${credential}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    return { ...answer, body: answer.body ?? lastEvent(answer.text) };
  }

  async toolNames(credential: string): Promise<string[]> {
    const { body, text } = await this.mcp(credential, "tools/list");
    assert.ok(Array.isArray(body?.result?.tools), text);
    return body.result.tools.map((tool: { name: string }) => tool.name);
  }

  async cleanUp(): Promise<void> {
    for (const path of this.#toDelete) {
      const { status, text } = await this.call("DELETE", path);
      // The only owner cannot be deleted.
      const stays = text.includes("the last owner cannot be removed");
      assert.ok(status === 200 || status === 404 || stays, `DELETE ${path}: ${text}`);
    }
  }

  /** Deletes everything that the tests created; renamed records by their new name. */
  #remember(method: string, path: string, { status, body }: Answer): void {
    const made = (method === "POST" && status === 201) || (method === "PATCH" && status === 200);
    const collection = path.split("?")[0] ?? "";
    const key = {
      ...{ "/api/mcp-servers": "slug", "/api/groups": "name", "/api/users": "email", "/api/api-tokens": "id" },
      "/api/skills": "slug",
      "/api/commands": "slug",
      "/api/plugins": "slug",
      "/api/toolkits": "slug",
      "/api/guards": "slug",
    };
    const by = key[collection as keyof typeof key]; // undefined for every other path
    if (made && by) this.#toDelete.add(`${collection}?${by}=${encodeURIComponent(body.data[by])}`);
  }
}

interface GroupContent {
  readonly name?: string;
  readonly settings?: Readonly<Record<string, boolean>>;
  readonly slugs?: readonly string[];
  readonly emails?: readonly string[];
}

/** The gateway may respond with an event stream, whose last message is the response. */
function lastEvent(text: string): unknown {
  const data = text
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .at(-1);
  return data === undefined ? undefined : JSON.parse(data.slice("data:".length));
}
