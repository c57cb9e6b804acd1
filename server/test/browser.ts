import assert from "node:assert/strict";
import { createPerson } from "./factories.ts";
import { GOOD_PASSWORD } from "./passwords.ts";
import type { HttpAnswer, Service } from "./start-service.ts";

/** A minimal browser for sign-in: it keeps cookies and submits forms with their hidden fields. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #service: Service;
  #hidden = new Map<string, string>();

  constructor(service: Service) {
    this.#service = service;
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<HttpAnswer> {
    return this.#kept(await this.#service.http(path, { headers: { cookie: this.cookie, ...headers } }));
  }

  /** Submits the form of the page that was loaded last. */
  async submit(
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<HttpAnswer> {
    const form = new URLSearchParams({ ...Object.fromEntries(this.#hidden), ...fields });
    const type = { "content-type": "application/x-www-form-urlencoded" };
    const call = { method: "POST", headers: { cookie: this.cookie, ...type, ...headers }, body: form.toString() };
    return this.#kept(await this.#service.http(path, call));
  }

  /** Calls the API like the admin app. */
  async api(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<HttpAnswer> {
    const csrf = method === "GET" ? {} : { "x-csrf-token": await this.csrfToken() };
    const json = body === undefined ? {} : { "content-type": "application/json" };
    const call = { method, headers: { cookie: this.cookie, ...csrf, ...json, ...headers } };
    return this.#service.http(path, body === undefined ? call : { ...call, body: JSON.stringify(body) });
  }

  async csrfToken(): Promise<string> {
    return (await this.#service.http("/api/me", { headers: { cookie: this.cookie } })).body.data.csrf_token;
  }

  async signIn(email: string, password = GOOD_PASSWORD): Promise<HttpAnswer> {
    await this.get("/sign-in");
    return this.submit("/sign-in", { email, password });
  }

  async accept(inviteUrl: string, password = GOOD_PASSWORD): Promise<HttpAnswer> {
    await this.get("/invite");
    return this.submit("/invite", { code: inviteUrl, password });
  }

  #kept(answer: HttpAnswer): HttpAnswer {
    for (const line of answer.headers["set-cookie"] ?? []) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const hidden = answer.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
    this.#hidden = new Map([...hidden].map(([, name = "", value = ""]) => [name, value]));
    return answer;
  }
}

export async function invite(service: Service, email: string): Promise<string> {
  const answer = await service.api("POST", `/api/users/invite?email=${email}`);
  assert.equal(answer.status, 201, answer.text);
  return answer.body.invite_url;
}

/** A new user with this role, signed in to a browser. */
export async function signedInAs(service: Service, role: string, email = `${role}@example.com`): Promise<Browser> {
  await createPerson(service, role, email);
  const changed = await service.api("PATCH", `/api/users?email=${email}`, { role });
  assert.equal(changed.status, 200, changed.text);
  const browser = new Browser(service);
  const accepted = await browser.accept(await invite(service, email));
  assert.equal(accepted.status, 303, accepted.text);
  return browser;
}
