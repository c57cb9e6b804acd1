import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, it } from "node:test";
import { openApiDocument } from "#api/kit/openapi";
import { operations } from "#api/operations";
import { onSqliteApi } from "#test/api";
import type { ApiDocument, DocumentOperation, Schema } from "./document.ts";
import { curlOf, exampleOf } from "./example.ts";
import { renderPage } from "./render-page.ts";

// `openApiDocument` produces the members that `ApiDocument` declares.
const DOCUMENT = openApiDocument(operations) as unknown as ApiDocument;
const BASE_URL = "https://gatehouse.example.com";

describe("the page of the API document", () => {
  const page = renderPage(DOCUMENT, BASE_URL);

  it("shows every operation with route, scope, and curl command, and links to it", () => {
    for (const { id, summary, scope, route } of operations) {
      const [method = "", path = ""] = route.split(" ");
      const article = page.split(`<article id="${id}"`)[1]?.split("</article>")[0] ?? "";
      const text = article.replace(/<[^>]*>/g, "");
      for (const part of [summary.replaceAll("'", "&#39;"), method, path, scope, `${BASE_URL}/api/`, "$TOKEN"]) {
        assert.ok(text.includes(part), `${id}: ${part}`);
      }
      assert.ok(page.includes(`<li><a href="#${id}">`), id);
    }
  });

  it("shows nested fields with type, marks, and description", () => {
    const article = page.split('<article id="createUser"')[1]?.split("</article>")[0] ?? "";
    const text = article.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
    assert.match(text, /A machine user to create/);
    assert.match(text, /client_credentials object OAuth client for the client credentials grant/);
    assert.match(text, /clientSecret string required write-only OAuth client secret/);
  });

  it("contains no inline code that the policy blocks and loads nothing from other hosts", () => {
    assert.doesNotMatch(page, /<style|style="|\son\w+="|<script(?![^>]* src="docs\/page\.js"><\/script>)/);
    for (const [, address] of page.matchAll(/(?:src|href)="([^"#]*)/g)) {
      assert.ok(["", "docs/page.css", "docs/page.js", "openapi.json", "pages/mark.svg"].includes(address ?? "?"));
    }
  });

  it("escapes hostile text everywhere in the document", () => {
    const hostile = `</code><script>alert(1)</script><img src=x onerror="a('b')">\`<b>\` **<i>**`;
    const field: Schema = { type: "string", description: hostile, enum: [hostile], default: hostile };
    const schema: Schema = { properties: { [hostile]: field }, required: [hostile] };
    const content = { "application/json": { schema } };
    const operation: DocumentOperation = {
      operationId: hostile,
      tags: [hostile],
      summary: hostile,
      description: `${hostile}\n\n${hostile}`,
      "x-required-scope": hostile,
      parameters: ["path", "query", "header"].map((place) => ({
        name: hostile,
        in: place,
        required: true,
        description: hostile,
        schema: field,
      })),
      requestBody: { content },
      responses: { 200: { description: hostile, content }, 400: { description: hostile } },
    };
    const rendered = renderPage(
      {
        info: { title: hostile, version: hostile, description: hostile },
        tags: [{ name: hostile, description: hostile }],
        paths: { [`/${hostile}`]: { post: operation } },
        components: { schemas: {} },
      },
      hostile,
    );
    const tags = new Set([...rendered.matchAll(/<(\w+)/g)].map(([, tag]) => tag));
    for (const tag of ["img", "b", "i"]) assert.ok(!tags.has(tag), tag);
    assert.equal(rendered.match(/<script/g)?.length, 1);
    assert.ok(rendered.includes("&lt;img src=x onerror=&quot;"));
    assert.ok(rendered.includes("<code>&lt;b&gt;</code>"));
  });

  it("ends the recursion of a schema that contains itself", () => {
    const Tree: Schema = {
      type: "object",
      required: ["of"],
      properties: { of: { $ref: "#/components/schemas/Tree" } },
    };
    const answer = {
      description: "OK",
      content: { "application/json": { schema: { $ref: "#/components/schemas/Tree" } } },
    };
    const operation = { ...firstOperation(), responses: { 200: answer } };
    const paths = { "/api/trees": { get: operation } };
    const rendered = renderPage({ ...DOCUMENT, paths, components: { schemas: { Tree } } }, BASE_URL);
    assert.ok(rendered.includes("&quot;of&quot;: {}"));
  });
});

describe("an example", () => {
  const example = (schema: Schema, way: "request" | "answer" = "answer") => exampleOf(schema, {}, way);

  it("is the schema's example or assembled from its parts", () => {
    assert.equal(example({ type: "string", example: null }), null);
    assert.equal(example({ type: "string", enum: ["a", "b"] }), "a");
    assert.deepEqual(example({ type: "array", items: { type: "string", format: "email" } }), ["ada@example.com"]);
    assert.equal(example({ type: "integer", minimum: 5 }), 5);
    assert.equal(example({ anyOf: [{ type: "boolean" }, {}] }), true);
  });

  it("contains required fields; a response also contains fields with an example, but no secrets", () => {
    const properties = { a: { type: "boolean" }, b: { type: "boolean" }, c: { example: 3 }, d: { writeOnly: true } };
    assert.deepEqual(example({ properties, required: ["a", "d"] }, "answer"), { a: true, c: 3 });
    assert.deepEqual(example({ properties, required: ["a"] }, "request"), { a: true });
    assert.deepEqual(example({ properties }, "answer"), { a: true, b: true, c: 3 });
  });

  it("passes through the shell unchanged", () => {
    const value = `it's "$HOME" \`id\` \\ %`;
    const schema = { type: "string", example: value };
    const operation = {
      ...firstOperation(),
      parameters: ["path", "query"].map((place) => ({ name: "name", in: place, required: true, schema })),
      requestBody: { content: { "application/json": { schema: { example: { name: value } } } } },
    };
    const line = curlOf({ method: "PATCH", path: "/api/groups/{name}", operation }, {}, BASE_URL);
    const script = `TOKEN=secret; curl() { for a in "$@"; do printf '%s\\0' "$a"; done; }; ${line}`;
    const args = execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0");
    const encoded = encodeURIComponent(value);
    assert.equal(args[0], `${BASE_URL}/api/groups/${encoded}?name=${encoded}`);
    assert.deepEqual(args.slice(1, -2), [
      "-X",
      "PATCH",
      "-H",
      "Authorization: Bearer secret",
      "-H",
      "Content-Type: application/json",
      "-d",
    ]);
    assert.deepEqual(JSON.parse(args.at(-2) ?? ""), { name: value });
  });
});

function firstOperation(): DocumentOperation {
  const [operation] = Object.values(DOCUMENT.paths).flatMap((methods) => Object.values(methods));
  assert.ok(operation);
  return operation;
}

onSqliteApi("what is public", (api) => {
  const FILES = {
    "/openapi.json": "application/json",
    "/docs": "text/html",
    "/docs/page.css": "text/css",
    "/docs/page.js": "text/javascript",
  };

  it("requires no credential, has a content type, and supports If-None-Match", async () => {
    for (const [path, type] of Object.entries(FILES)) {
      const answer = await api.service.http(path);
      assert.equal(answer.status, 200, path);
      assert.ok(answer.headers["content-type"]?.startsWith(type), path);
      assert.equal(answer.headers["cache-control"], "no-cache");
      assert.equal(answer.headers["x-content-type-options"], "nosniff");
      const etag = answer.headers.etag ?? "";
      for (const known of [etag, `"other", W/${etag}`]) {
        const again = await api.service.http(path, { headers: { "if-none-match": known } });
        assert.deepEqual([again.status, again.text, again.headers.etag], [304, "", etag], path);
      }
      assert.equal((await api.service.http(path, { headers: { "if-none-match": '"other"' } })).status, 200);
    }
  });

  it("responds to HEAD like GET, without a body", async () => {
    for (const path of ["/openapi.json", "/docs", "/docs/page.css", "/docs/page.js"]) {
      const [get, head] = [await api.service.http(path), await api.service.http(path, { method: "HEAD" })];
      assert.deepEqual([head.status, head.text, head.headers.etag], [200, "", get.headers.etag], path);
      assert.equal(head.headers["content-length"], String(Buffer.byteLength(get.text)));
    }
  });

  it("sends the page with a strict policy that forbids framing (WEB-1)", async () => {
    const { headers } = await api.service.http("/docs");
    assert.match(String(headers["content-security-policy"]), /^default-src 'none';/);
    assert.match(String(headers["content-security-policy"]), /frame-ancestors 'none'/);
    assert.doesNotMatch(String(headers["content-security-policy"]), /unsafe|\*|https?:/);
    assert.equal(headers["referrer-policy"], "no-referrer");
    const slash = await api.service.http("/docs/");
    assert.deepEqual([slash.status, slash.headers.location], [308, "../docs"]);
  });
});
