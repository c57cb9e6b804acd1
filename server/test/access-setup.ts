/** One running service as the access model sees it: writes over the API, and what each user can list and call. */
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
/** One comparison in so many asks the API too, and of the names that are tried there as many: its answers take longer. */
const TOLD_EVERY = 5;

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

  /** Deletes the user and makes one of the same e-mail: the old key ends at once and does not come back. */
  async replaceUser(user: number): Promise<void> {
    const old = this.#user(user);
    await this.write("DELETE", `/api/users?email=${encodeURIComponent(old.email)}`);
    await this.#expectRefused(old.credential);
    const made = await createMachineUser(this.#service, `user ${user}`);
    assert.equal(made.email, old.email);
    await this.#expectRefused(old.credential);
    this.#users[user] = made;
  }

  /** The `mcp_proxy` that points at this upstream. */
  mcpProxy(upstream: number | undefined): string | undefined {
    const url = upstream === undefined ? undefined : this.#upstreams[upstream]?.url;
    return url && JSON.stringify({ type: "http", url });
  }

  /** A write that must succeed; its answer's body. */
  async write(method: string, path: string, body?: object) {
    const answer = await this.#service.api(method, path, body);
    assert.ok(answer.status === 200 || answer.status === 201, `${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  }

  /** For each user: what is listed, what can be called and what the model promises are one set; for one, told so. */
  async compare(model: AccessModel): Promise<void> {
    await Promise.all(
      this.#users.flatMap((_, user) => [this.#compareListed(model, user), this.#compareCallable(model, user)]),
    );
    if (this.#comparisons++ % TOLD_EVERY === 0) await this.#compareTold(model, this.#comparisons % USERS);
  }

  /** The same for the lists of all and the calls of one, each time of another. */
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
    assert.deepEqual(await this.#listed(user, "tools"), model.reach(user), `what user ${user} lists`);
    const resources = model.shownResources(user);
    assert.deepEqual(await this.#listed(user, "resources"), resources, `which resources user ${user} lists`);
    const prompts = model.reachedPrompts(user);
    assert.deepEqual(await this.#listed(user, "prompts"), prompts, `which prompts user ${user} lists`);
  }

  async #listed(user: number, kind: "tools" | "prompts" | "resources"): Promise<string[]> {
    const method = `${kind}/list`;
    const { result } = await this.#ask(user, requestText("modern", method), eraHeaders("modern", method));
    return result[kind].map((item: { name: string; uri?: string }) => item.uri ?? item.name).sort();
  }

  async #compareCallable(model: AccessModel, user: number): Promise<void> {
    const tools = await this.#callable(user, "tools/call", model.everyName());
    assert.deepEqual(tools, model.reach(user), `what user ${user} can call`);
    const prompts = await this.#callable(user, "prompts/get", model.everyPrompt());
    assert.deepEqual(prompts, model.reachedPrompts(user), `which prompts user ${user} can get`);
    const resources = await this.#callable(user, "resources/read", model.everyResource());
    assert.deepEqual(resources, model.readableResources(user), `which resources user ${user} can read`);
  }

  /** D22: what admins are told is what the user gets. Of all names, those of one turn. */
  async #compareTold(model: AccessModel, user: number): Promise<void> {
    const email = encodeURIComponent(this.email(user));
    const access = await this.#told(`/api/access?email=${email}&limit=200`);
    const told = access.data.map(({ tool }: { tool: string }) => tool);
    assert.deepEqual(told.toSorted(), model.reach(user), `what is told of user ${user}`);
    assert.equal(access.totalCount, told.length);
    const reach = new Set(model.reach(user));
    const names = model.everyName().filter((_, at) => (at + this.#explained) % TOLD_EVERY === 0);
    this.#explained++;
    for (const name of names) {
      const { data } = await this.#told(`/api/access/explain?email=${email}&tool=${encodeURIComponent(name)}`);
      assert.equal(data.verdict, reach.has(name) ? "allowed" : "refused", `${name}: ${JSON.stringify(data)}`);
      const failed = data.steps.filter((step: { passed: boolean | null }) => step.passed === false);
      assert.equal(failed.length === 0, reach.has(name), JSON.stringify(data));
    }
  }

  async #told(path: string) {
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

  /** Not over the lines: a refusal ends its connection (AUTH-4). */
  async #expectRefused(credential: string): Promise<void> {
    const answer = await this.#service.mcp(credential, listText("modern"), eraHeaders("modern", "tools/list"));
    assert.equal(answer.status, 401, answer.text);
  }
}

function paramsOf(method: string, name: string): string[] {
  const text = JSON.stringify(name);
  return method === "resources/read" ? [`"uri":${text}`] : [`"name":${text}`, '"arguments":{}'];
}
