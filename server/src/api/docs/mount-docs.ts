import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { openApiDocument } from "#api/kit/openapi";
import type { Operation } from "#api/kit/operation";
import type { ApiDocument } from "./document.ts";
import { renderPage } from "./render-page.ts";

interface PublicText {
  readonly type: string;
  /** Bytes, because responses share them. Each response would have a copy of a string until it has been read. */
  readonly bytes: Buffer;
  readonly etag: string;
}

/** WEB-1: only our own resources, and no framing. */
const PAGE_HEADERS = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
};

/** Serves the API document and its page without authentication. Each is rendered on first request and cached. */
export function mountDocs(server: FastifyInstance, operations: readonly Operation[], baseUrl: string): void {
  // `openApiDocument` produces the members that `ApiDocument` declares.
  const document = once(() => openApiDocument(operations) as unknown as ApiDocument);
  const texts = {
    "/openapi.json": () => publicText("application/json", JSON.stringify(document())),
    "/docs": () => publicText("text/html; charset=utf-8", renderPage(document(), baseUrl)),
    "/docs/page.css": () => publicText("text/css; charset=utf-8", fileBeside("page.css")),
    "/docs/page.js": () => publicText("text/javascript; charset=utf-8", fileBeside("page.js")),
  };
  for (const [path, make] of Object.entries(texts)) {
    const text = once(make);
    const handler = (request: FastifyRequest, reply: FastifyReply) => {
      if (path === "/docs") reply.headers(PAGE_HEADERS);
      return send(request, reply, text());
    };
    server.route({ method: ["GET", "HEAD"], url: path, handler });
  }
  server.get("/docs/", (_request, reply) => reply.redirect("../docs", 308));
}

function send(request: FastifyRequest, reply: FastifyReply, { type, bytes, etag }: PublicText): FastifyReply {
  reply.header("etag", etag).header("cache-control", "no-cache");
  const known = request.headers["if-none-match"]?.split(",").map((each) => each.trim().replace(/^W\//, ""));
  if (known?.includes(etag)) return reply.code(304).send();
  return reply.type(type).send(bytes);
}

function publicText(type: string, text: string): PublicText {
  const bytes = Buffer.from(text);
  return { type, bytes, etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"` };
}

function fileBeside(name: string): string {
  return readFileSync(new URL(name, import.meta.url), "utf8");
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
