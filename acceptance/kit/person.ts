import assert from "node:assert/strict";
import type { Api } from "./api.ts";
import type { Answer, HttpCall } from "./http.ts";

const PASSWORD = "correct horse battery staple";

/** A person who accepted an invitation, in a browser without scripts. Requests are authenticated with its cookies. */
export class Person {
  readonly email: string;
  readonly #api: Api;
  readonly #cookies = new Map<string, string>();
  #csrfToken = "";

  private constructor(api: Api, email: string) {
    this.#api = api;
    this.email = email;
  }

  static async signedIn(api: Api): Promise<Person> {
    const { email } = await api.person();
    const { invite_url: code } = await api.body(201, "POST", `/api/users/invite?email=${email}`);
    const person = new Person(api, email);
    const { text } = await person.#send("/invite", {});
    const hidden = text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
    const fields = Object.fromEntries([...hidden].map(([, name, value]) => [name, value]));
    const accepted = await person.#send("/invite", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ ...fields, code, password: PASSWORD }).toString(),
    });
    assert.equal(accepted.status, 303, accepted.text);
    person.#csrfToken = (await person.call("GET", "/api/me")).body.data.csrf_token;
    return person;
  }

  call(method: string, path: string, body?: unknown): Promise<Answer> {
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const headers = { "x-csrf-token": this.#csrfToken, ...type };
    return this.#send(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  }

  async #send(path: string, call: HttpCall): Promise<Answer> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await this.#api.send(path, { ...call, headers: { cookie, ...call.headers } });
    for (const line of answer.headers["set-cookie"] ?? []) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    return answer;
  }
}
