/** A person's MCP client for the OAuth server: it registers, redirects the browser, and requests tokens. */
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import type { Browser } from "./browser.ts";
import type { HttpAnswer, Service } from "./start-service.ts";

const BASE = "http://127.0.0.1:8080";
export const CALLBACK = "http://127.0.0.1:33418/callback";

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
  readonly scope: string;
}

/** The path of a URL of the service. */
export function pathAt(url: string): string {
  assert.ok(url.startsWith(BASE), url);
  return url.slice(BASE.length);
}

export class McpClient {
  readonly verifier = randomBytes(32).toString("base64url");
  readonly state = randomBytes(8).toString("base64url");
  readonly #service: Service;
  clientId = "";

  constructor(service: Service) {
    this.#service = service;
  }

  async register(metadata: object = {}): Promise<HttpAnswer> {
    const body = JSON.stringify({
      client_name: "Test Client",
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      ...metadata,
    });
    const headers = { "content-type": "application/json" };
    const answer = await this.#service.http("/oauth/register", { method: "POST", headers, body });
    if (answer.status === 201) this.clientId = answer.body.client_id;
    return answer;
  }

  /** The URL that the client sends the browser to; an empty value omits the parameter. */
  authorizePath(rest: Record<string, string> = {}): string {
    const params = {
      response_type: "code",
      client_id: this.clientId,
      redirect_uri: CALLBACK,
      code_challenge: createHash("sha256").update(this.verifier).digest("base64url"),
      code_challenge_method: "S256",
      state: this.state,
      scope: "mcp",
      resource: `${BASE}/mcp`,
      ...rest,
    };
    return `/oauth/authorize?${new URLSearchParams(Object.entries(params).filter(([, value]) => value !== ""))}`;
  }

  /** Opens the consent page; returns its path. */
  async ask(browser: Browser, rest: Record<string, string> = {}): Promise<string> {
    const sent = await browser.get(this.authorizePath(rest));
    assert.equal(sent.status, 303, sent.text);
    return String(sent.headers.location);
  }

  /** Completes the consent; returns the URL that the browser is redirected to. */
  async agree(browser: Browser, rest: Record<string, string> = {}, decision = "allow"): Promise<URL> {
    const consent = await this.ask(browser, rest);
    const page = await browser.get(consent);
    assert.equal(page.status, 200, page.text);
    const taken = await browser.submit(consent, { decision });
    assert.equal(taken.status, 303, taken.text);
    const back = await browser.get(pathAt(String(taken.headers.location)));
    assert.equal(back.status, 303, back.text);
    return new URL(String(back.headers.location));
  }

  exchange(code: string, rest: Record<string, string> = {}): Promise<HttpAnswer> {
    const grant = { grant_type: "authorization_code", code, code_verifier: this.verifier, redirect_uri: CALLBACK };
    return this.post("/oauth/token", { ...grant, ...rest });
  }

  refresh(token: string, rest: Record<string, string> = {}): Promise<HttpAnswer> {
    return this.post("/oauth/token", { grant_type: "refresh_token", refresh_token: token, ...rest });
  }

  post(path: string, fields: Record<string, string>): Promise<HttpAnswer> {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const body = new URLSearchParams({ client_id: this.clientId, ...fields }).toString();
    return this.#service.http(path, { method: "POST", headers, body });
  }

  async connect(browser: Browser, rest: Record<string, string> = {}): Promise<Tokens> {
    if (this.clientId === "") assert.equal((await this.register()).status, 201);
    const back = await this.agree(browser, rest);
    const answer = await this.exchange(back.searchParams.get("code") ?? "");
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  }
}
