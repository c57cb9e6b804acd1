/** A running service for the access model: writes through the API, and what each user can list and call. */
import assert from "node:assert/strict";
import {
  type AccessModel,
  PROMPTS_OF_UPSTREAM,
  RESOURCES_OF_UPSTREAM,
  TOOLS_OF_UPSTREAM,
  USERS,
} from "./access-model.ts";
import type { TestDatabase } from "./databases.ts";
import { createMachineUser, type MachineUser } from "./factories.ts";
import { eraHeaders, listText, requestText } from "./mcp-messages.ts";
import { PipelinedClient } from "./pipelined-client.ts";
import { type Service, startService } from "./start-service.ts";
import { type RawUpstream, startRawUpstream } from "./upstreams/raw.ts";

const UNKNOWN_NAME = -32602;
/** One in this many comparisons also checks the API, with one in this many names, because the API is slower. */
const API_CHECK_INTERVAL = 5;

export class AccessSetup {
  readonly #service: Service;
  readonly #upstreams: readonly RawUpstream[];
  readonly #lines: readonly PipelinedClient[];
  readonly #users: MachineUser[];
  #comparisons = 0;
  #explained = 0;

  static async start(database: TestDatabase): Promise<AccessSetup> {
    const service = await startService(database);
    const upstreams = await Promise.all(
      TOOLS_OF_UPSTREAM.map((names, at) => {
        const tools = names.map((name) => ({ name, inputSchema: { type: "object" } }));
        const prompts = (PROMPTS_OF_UPSTREAM[at] ?? []).map((name) => ({ name }));
        const list = (RESOURCES_OF_UPSTREAM[at] ?? []).map((uri) => ({ uri, name: uri }));
        return startRawUpstream({ record: false, tools, prompts, resources: { list } });
      }),
    );
    const places = Array.from({ length: USERS });
    const lines = await Promise.all(places.map(() => PipelinedClient.open(service.url)));
    const users = await Promise.all(places.map((_, place) => createMachineUser(service, `user ${place}`)));
    return new AccessSetup(service, upstreams, lines, users);
  }

  private constructor(
    service: Service,
    upstreams: readonly RawUpstream[],
    lines: readonly PipelinedClient[],
    users: MachineUser[],
  ) {
    this.#service = service;
    this.#upstreams = upstreams;
    this.#lines = lines;
    this.#users = users;
  }

  email(user: number): string {
    return this.#user(user).email;
  }

  /** Deletes the user and creates one with the same email: the old key stops working immediately. */
  async replaceUser(user: number): Promise<void> {
    const old = this.#user(user);
    await this.write("DELETE", `/api/users?email=${encodeURIComponent(old.email)}`);
    await this.#expectRefused(old.credential);
    const made = await createMachineUser(this.#service, `user ${user}`);
    assert.equal(made.email, old.email);
    await this.#expectRefused(old.credential);
    this.#users[user] = made;
  }

  /** The `mcp_proxy` for this upstream. */
  mcpProxy(upstream: number | undefined): string | undefined {
    const url = upstream === undefined ? undefined : this.#upstreams[upstream]?.url;
    return url && JSON.stringify({ type: "http", url });
  }

  /** A write that must succeed; returns the response body. */
  async write(method: string, path: string, body?: object) {
    const answer = await this.#service.api(method, path, body);
    assert.ok(answer.status === 200 || answer.status === 201, `${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  }

  /** For each user: the listed items, the callable items and the model agree; for one user, the API's report too. */
  async compare(model: AccessModel): Promise<void> {
    await Promise.all(
      this.#users.flatMap((_, user) => [this.#compareListed(model, user), this.#compareCallable(model, user)]),
    );
    if (this.#comparisons++ % API_CHECK_INTERVAL === 0) await this.#compareReported(model, this.#comparisons % USERS);
  }

  /** The same for the lists of all users and the calls of one user, a different one each time. */
  async compareSome(model: AccessModel): Promise<void> {
    const lists = this.#users.map((_, user) => this.#compareListed(model, user));
    await Promise.all([...lists, this.#compareCallable(model, this.#comparisons++ % USERS)]);
  }

  async close(): Promise<void> {
    for (const line of this.#lines) line.close();
    await this.#service.close();
    await Promise.all(this.#upstreams.map((upstream) => upstream.close()));
  }

  #user(user: number): MachineUser {
    const found = this.#users[user];
    assert.ok(found);
    return found;
  }

  async #compareListed(model: AccessModel, user: number): Promise<void> {
    assert.deepEqual(await this.#listed(user, "tools"), model.reach(user), `tools that user ${user} lists`);
    const resources = model.shownResources(user);
    assert.deepEqual(await this.#listed(user, "resources"), resources, `resources that user ${user} lists`);
    const prompts = model.reachedPrompts(user);
    assert.deepEqual(await this.#listed(user, "prompts"), prompts, `prompts that user ${user} lists`);
  }

  async #listed(user: number, kind: "tools" | "prompts" | "resources"): Promise<string[]> {
    const method = `${kind}/list`;
    const { result } = await this.#ask(user, requestText("modern", method), eraHeaders("modern", method));
    return result[kind].map((item: { name: string; uri?: string }) => item.uri ?? item.name).sort();
  }

  async #compareCallable(model: AccessModel, user: number): Promise<void> {
    const tools = await this.#callable(user, "tools/call", model.everyName());
    assert.deepEqual(tools, model.reach(user), `tools that user ${user} can call`);
    const prompts = await this.#callable(user, "prompts/get", model.everyPrompt());
    assert.deepEqual(prompts, model.reachedPrompts(user), `prompts that user ${user} can get`);
    const resources = await this.#callable(user, "resources/read", model.everyResource());
    assert.deepEqual(resources, model.readableResources(user), `resources that user ${user} can read`);
  }

  /** D22: the access that admins see is the access that the user has. Checks some of the names each time. */
  async #compareReported(model: AccessModel, user: number): Promise<void> {
    const email = encodeURIComponent(this.email(user));
    const access = await this.#apiResponse(`/api/access?email=${email}&limit=200`);
    const reported = access.data.map(({ tool }: { tool: string }) => tool);
    assert.deepEqual(reported.toSorted(), model.reach(user), `the reported access of user ${user}`);
    assert.equal(access.totalCount, reported.length);
    const reach = new Set(model.reach(user));
    const names = model.everyName().filter((_, at) => (at + this.#explained) % API_CHECK_INTERVAL === 0);
    this.#explained++;
    for (const name of names) {
      const { data } = await this.#apiResponse(`/api/access/explain?email=${email}&tool=${encodeURIComponent(name)}`);
      assert.equal(data.verdict, reach.has(name) ? "allowed" : "refused", `${name}: ${JSON.stringify(data)}`);
      const failed = data.steps.filter((step: { passed: boolean | null }) => step.passed === false);
      assert.equal(failed.length === 0, reach.has(name), JSON.stringify(data));
    }
  }

  async #apiResponse(path: string) {
    const answer = await this.#service.api("GET", path);
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  }

  async #callable(user: number, method: string, names: readonly string[]): Promise<string[]> {
    const answers = await Promise.all(names.map((name) => this.#isCallable(user, method, name)));
    return names.filter((_, at) => answers[at]).sort();
  }

  async #isCallable(user: number, method: string, name: string): Promise<boolean> {
    const text = requestText("modern", method, paramsOf(method, name));
    const { result, error } = await this.#ask(user, text, eraHeaders("modern", method, name));
    if (result) return true;
    assert.equal(error.code, UNKNOWN_NAME, error.message);
    return false;
  }

  async #ask(user: number, text: string, headers: Readonly<Record<string, string>>) {
    const line = this.#lines[user];
    assert.ok(line);
    const authorization = `Bearer ${this.#user(user).credential}`;
    const all = { authorization, "content-type": "application/json", accept: "application/json", ...headers };
    const answer = await line.post("/mcp", all, text);
    assert.equal(answer.status, 200, answer.text);
    return JSON.parse(answer.text);
  }

  /** Not over the pipelined connections, because a rejection closes the connection (AUTH-4). */
  async #expectRefused(credential: string): Promise<void> {
    const answer = await this.#service.mcp(credential, listText("modern"), eraHeaders("modern", "tools/list"));
    assert.equal(answer.status, 401, answer.text);
  }
}

function paramsOf(method: string, name: string): string[] {
  const text = JSON.stringify(name);
  return method === "resources/read" ? [`"uri":${text}`] : [`"name":${text}`, '"arguments":{}'];
}
