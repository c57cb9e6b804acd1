/** A running service for the access model: writes through the API, and what each user can list and call. */
import assert from "node:assert/strict";
import { LINK_RETRY_MS } from "#gateway/lists/linked-resources";
import { type Clock, systemClock } from "#lib/clock";
import {
  type AccessModel,
  PROMPTS_OF_UPSTREAM,
  RESOURCES_OF_UPSTREAM,
  SHARED_PROMPT,
  SHARED_RESOURCE,
  TOOLS_OF_UPSTREAM,
  USERS,
} from "./access-model.ts";
import { EVERY_SKILL } from "./access-skills.ts";
import { TOOLKITS, toolkitSlug } from "./access-toolkits.ts";
import type { TestDatabase } from "./databases.ts";
import { createMachineUser, type MachineUser } from "./factories.ts";
import { eraHeaders, listText, requestText } from "./mcp-messages.ts";
import { PipelinedClient } from "./pipelined-client.ts";
import { type HttpAnswer, type Service, startService } from "./start-service.ts";
import { type RawUpstream, startRawUpstream } from "./upstreams/raw.ts";

const UNKNOWN_NAME = -32602;
/** One in this many comparisons also checks the API, with one in this many names, because the API is slower. */
const API_CHECK_INTERVAL = 5;

/** Without the wait for links that another replica may be storing, because every comparison reads unknown resources. */
const CLOCK: Clock = {
  ...systemClock,
  after: (delayMs, task) => systemClock.after(delayMs === LINK_RETRY_MS ? 0 : delayMs, task),
};

export class AccessSetup {
  readonly sharedPrompt = SHARED_PROMPT;
  readonly sharedResource = SHARED_RESOURCE;
  readonly #service: Service;
  readonly #upstreams: readonly RawUpstream[];
  readonly #lines: readonly PipelinedClient[];
  readonly #users: MachineUser[];
  #comparisons = 0;
  #explained = 0;

  static async start(database: TestDatabase): Promise<AccessSetup> {
    const service = await startService(database, { clock: CLOCK });
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

  request(method: string, path: string, body?: object): Promise<HttpAnswer> {
    return this.#service.api(method, path, body);
  }

  /** A write that must succeed; returns the response body. */
  async write(method: string, path: string, body?: object) {
    const answer = await this.request(method, path, body);
    assert.ok(answer.status === 200 || answer.status === 201, `${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  }

  /** For each user and view: listed items, callable items and the model agree; for one user, the API's reports too. */
  async compare(model: AccessModel): Promise<void> {
    for (const selected of [undefined, ...model.livingToolkits().map(({ slug }) => slug)]) {
      await Promise.all(
        this.#users.flatMap((_, user) => [
          this.#compareListed(model, user, selected),
          this.#compareCallable(model, user, selected),
        ]),
      );
    }
    const user = this.#comparisons++ % USERS;
    await this.#comparePreview(model, user);
    if (this.#comparisons % API_CHECK_INTERVAL === 0) await this.#compareReported(model, user);
  }

  /** The same for the lists of all users and the calls of one user, in the default view and in one of the toolkits. */
  async compareSome(model: AccessModel): Promise<void> {
    const selected = toolkitSlug(this.#comparisons % TOOLKITS);
    const user = this.#comparisons++ % USERS;
    const views = [undefined, ...(model.livingToolkits().some(({ slug }) => slug === selected) ? [selected] : [])];
    await Promise.all(
      views.flatMap((view) => [
        ...this.#users.map((_, each) => this.#compareListed(model, each, view)),
        this.#compareCallable(model, user, view),
      ]),
    );
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

  async #compareListed(model: AccessModel, user: number, selected: string | undefined): Promise<void> {
    if (model.toolkitOf(user, selected) === null) return this.#expectNoToolkit(user, selected);
    const view = `that user ${user} lists with ${selected ?? "no"} toolkit`;
    assert.deepEqual(await this.#listed(user, "tools", selected), model.reach(user, selected), `tools ${view}`);
    const resources = [...model.shownResources(user, selected), ...model.reachedSkills(user, selected)].sort();
    assert.deepEqual(await this.#listed(user, "resources", selected), resources, `resources ${view}`);
    const prompts = model.reachedPrompts(user, selected);
    assert.deepEqual(await this.#listed(user, "prompts", selected), prompts, `prompts ${view}`);
  }

  async #listed(user: number, kind: "tools" | "prompts" | "resources", selected: string | undefined) {
    const method = `${kind}/list`;
    const query = selected === undefined ? "" : `?toolkit=${selected}`;
    const { result } = await this.#ask(user, requestText("modern", method), eraHeaders("modern", method), query);
    return result[kind].map((item: { name: string; uri?: string }) => item.uri ?? item.name).sort();
  }

  /** In every second comparison with tool search, which changes nothing about names that the caller knows (F35). */
  async #compareCallable(model: AccessModel, user: number, selected: string | undefined): Promise<void> {
    if (model.toolkitOf(user, selected) === null) return;
    const parameters = new URLSearchParams({
      ...(selected !== undefined && { toolkit: selected }),
      ...(this.#comparisons % 2 === 0 && { tools: "search" }),
    });
    const query = parameters.size === 0 ? "" : `?${parameters}`;
    const view = `user ${user} with ${query}`;
    const tools = await this.#callable(user, "tools/call", model.everyName(), query);
    assert.deepEqual(tools, model.reach(user, selected), `tools that can be called by ${view}`);
    const prompts = await this.#callable(user, "prompts/get", model.everyPrompt(), query);
    assert.deepEqual(prompts, model.reachedPrompts(user, selected), `prompts that can be used by ${view}`);
    const resources = await this.#callable(user, "resources/read", [...model.everyResource(), ...EVERY_SKILL], query);
    const readable = [...model.readableResources(user, selected), ...model.reachedSkills(user, selected)].sort();
    assert.deepEqual(resources, readable, `resources that can be read by ${view}`);
  }

  /** The preview of an active toolkit is the list of the user. */
  async #comparePreview(model: AccessModel, user: number): Promise<void> {
    for (const { slug, active } of model.livingToolkits()) {
      if (!active) continue;
      const path = `/api/toolkits/${slug}/preview?email=${encodeURIComponent(this.email(user))}`;
      const { data } = await this.#apiResponse(path);
      const names = data.tools.map(({ name }: { name: string }) => name).sort();
      assert.deepEqual(names, model.reach(user, slug), `the preview of ${slug} for user ${user}`);
    }
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

  async #callable(user: number, method: string, names: readonly string[], query: string): Promise<string[]> {
    const answers = await Promise.all(names.map((name) => this.#isCallable(user, method, name, query)));
    return names.filter((_, at) => answers[at]).sort();
  }

  async #isCallable(user: number, method: string, name: string, query: string): Promise<boolean> {
    const text = requestText("modern", method, paramsOf(method, name));
    const { result, error } = await this.#ask(user, text, eraHeaders("modern", method, name), query);
    if (result) return true;
    assert.equal(error.code, UNKNOWN_NAME, error.message);
    return false;
  }

  async #ask(user: number, text: string, headers: Readonly<Record<string, string>>, query: string) {
    const line = this.#lines[user];
    assert.ok(line);
    const authorization = `Bearer ${this.#user(user).credential}`;
    const all = { authorization, "content-type": "application/json", accept: "application/json", ...headers };
    const answer = await line.post(`/mcp${query}`, all, text);
    assert.equal(answer.status, 200, answer.text);
    return JSON.parse(answer.text);
  }

  /** F12. Not over the pipelined connections, because a rejection closes the connection. */
  async #expectNoToolkit(user: number, selected: string | undefined): Promise<void> {
    const headers = {
      ...eraHeaders("modern", "tools/list"),
      ...(selected !== undefined && { "x-service-toolkit": selected }),
    };
    const answer = await this.#service.mcp(this.#user(user).credential, listText("modern"), headers);
    assert.deepEqual([answer.status, answer.text], [404, '{"error":"Toolkit not found"}']);
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
