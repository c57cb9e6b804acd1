import assert from "node:assert/strict";
import type { HttpAnswer, Service } from "./start-service.ts";

export const SCIM = {
  user: "urn:ietf:params:scim:schemas:core:2.0:User",
  group: "urn:ietf:params:scim:schemas:core:2.0:Group",
  patch: "urn:ietf:params:scim:api:messages:2.0:PatchOp",
  list: "urn:ietf:params:scim:api:messages:2.0:ListResponse",
  error: "urn:ietf:params:scim:api:messages:2.0:Error",
  enterprise: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User",
} as const;

/** An identity provider that manages users and groups through SCIM. */
export interface ScimClient {
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<HttpAnswer>;
  /** Expects the status, and returns the body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  expect(status: number, method: string, path: string, body?: unknown): Promise<any>;
  patch(path: string, ...operations: object[]): Promise<HttpAnswer>;
  /** The resources that a filter finds. */
  // biome-ignore lint/suspicious/noExplicitAny: the same
  find(type: "Users" | "Groups", filter: string): Promise<any[]>;
}

export function scimClient(service: Pick<Service, "http">, token: () => string): ScimClient {
  const client: ScimClient = {
    call: (method, path, body, headers = {}) =>
      service.http(`/scim/v2${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token()}`,
          ...(body !== undefined && { "content-type": "application/scim+json" }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      }),
    async expect(status, method, path, body) {
      const answer = await client.call(method, path, body);
      assert.equal(answer.status, status, `${method} ${path} ${JSON.stringify(body)}: ${answer.text}`);
      return answer.body;
    },
    patch: (path, ...operations) => client.call("PATCH", path, { schemas: [SCIM.patch], Operations: operations }),
    async find(type, filter) {
      const found = await client.expect(200, "GET", `/${type}?filter=${encodeURIComponent(filter)}`);
      assert.equal(found.totalResults, found.Resources.length);
      return found.Resources;
    },
  };
  return client;
}
