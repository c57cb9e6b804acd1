import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ApiContext } from "#api/kit/api-context";
import { isHttps } from "#api/kit/cookies";
import { upTo } from "#api/kit/relative-path";
import { sendFile } from "#api/kit/send-file";
import { needsHttps, requireSignIn, visitorOf } from "#api/kit/web-session";
import { html } from "#api/pages/html";
import { type Page, sendFaultPage, sendNeedsHttps, sendPage } from "#api/pages/page";
import type { AppBuild, AppFile, AppFiles } from "./app-files.ts";
import { APP_PATHS } from "./app-paths.ts";
import { mountSample } from "./sample-server.ts";

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  png: "image/png",
  svg: "image/svg+xml",
  woff2: "font/woff2",
};
const NONCE_BYTES = 16;
const READS = ["GET", "HEAD"];

/** Serves the app's page to signed-in people and its files, which contain no secrets, to everyone. */
export function mountApp(server: FastifyInstance, context: ApiContext, files: AppFiles): void {
  server.register(async (pages) => {
    pages.setErrorHandler((error, request, reply) => sendFaultPage(context, request, reply, error));
    for (const url of APP_PATHS) {
      pages.route({ method: READS, url, handler: (request, reply) => sendApp(context, files, request, reply) });
    }
  });
  mountSample(server, context.baseUrl);
  server.route<{ Params: { "*": string } }>({
    method: READS,
    url: "/assets/*",
    handler: (request, reply) => sendAsset(files, `assets/${request.params["*"]}`, request, reply),
  });
}

async function sendApp(context: ApiContext, files: AppFiles, request: FastifyRequest, reply: FastifyReply) {
  if (needsHttps(context, request)) return sendNeedsHttps(context, reply);
  const visitor = await requireSignIn(context, request, reply);
  if (!visitor) return reply;
  // Members have no home page; they start at their connections.
  if (visitor.user.role === "member" && request.url.split("?")[0] === "/") return reply.redirect("./connections", 303);
  const build = await files.current();
  return build ? sendIndex(context, build, reply) : sendPage(context, reply, 503, notBuilt(upTo(request.url)));
}

/** Not pages: programs that request them expect JSON. */
const NOT_PAGES = /^\/(?:api|mcp|oauth|\.well-known|assets|pages|logos|sample|docs)(?:[/?]|$)/;

/**
 * Browsers that navigate to an unknown URL get a page; signed-in people see it in the app. Undefined: the request is not
 * a navigation.
 */
export async function sendUnknownPage(
  context: ApiContext,
  files: AppFiles,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const acceptsHtml = /\btext\/html\b/.test(request.headers.accept ?? "");
  if (!acceptsHtml || !READS.includes(request.method) || NOT_PAGES.test(request.url)) return undefined;
  const build = (await visitorOf(context, request)) && (await files.current());
  reply.code(404);
  return build ? sendIndex(context, build, reply) : sendPage(context, reply, 404, notFoundPage(upTo(request.url)));
}

function notFoundPage(root: string): Page {
  const body = html`<p>This page does not exist. Check the URL.</p>
<p><a class="button quiet" href="${root}">Go to the start page</a></p>`;
  return { title: "Page not found", body };
}

function sendIndex(context: ApiContext, build: AppBuild, reply: FastifyReply): FastifyReply {
  const nonce = Buffer.from(context.random(NONCE_BYTES)).toString("base64");
  if (isHttps(context.baseUrl)) reply.header("strict-transport-security", "max-age=31536000");
  return reply
    .headers(headersWith(nonce))
    .type("text/html; charset=utf-8")
    .send(renderIndex(build, nonce, new URL(context.baseUrl).pathname.replace(/\/$/, "")));
}

/**
 * WEB-1. Styles created at run time carry the nonce; scripts load only from our files. The referrer is limited to our
 * origin; without any referrer, browsers would send the sign-out form with `Origin: null`.
 */
function headersWith(nonce: string) {
  return {
    "content-security-policy": `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
  };
}

/** Prefixes the app's files and routes with the path of BASE_URL. */
function renderIndex({ index }: AppBuild, nonce: string, basePath: string): string {
  return index
    .replaceAll(/ (src|href)="\.?\//g, ` $1="${basePath}/`)
    .replaceAll("__BASE__", basePath)
    .replaceAll("__NONCE__", nonce);
}

function notBuilt(root: string): Page {
  const body = html`<p role="alert">The files of the app are missing. See the output of <code>npm start</code> for the reason, then run <code>npm run web:build</code>. The API and the gateway work.</p>
<p><a href="${root}docs">API documentation</a></p>`;
  return { title: "The admin app is not built", body };
}

/** Names change with the content, so files are immutable. The sandbox disables scripts in an SVG opened as a page. */
const FILE_HEADERS = {
  "cache-control": "public, max-age=31536000, immutable",
  vary: "accept-encoding",
  "content-security-policy": "default-src 'none'; sandbox",
};

async function sendAsset(
  files: AppFiles,
  name: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const file = (await files.current())?.files.get(name);
  if (!file) return notFound(reply);
  const gzipped = file.gzip && acceptsGzip(request.headers["accept-encoding"]);
  const etag = `"${file.digest}${gzipped ? "-gzip" : ""}"`;
  reply.headers({ ...FILE_HEADERS, etag });
  const known = request.headers["if-none-match"]?.split(",").map((each) => each.trim().replace(/^W\//, ""));
  if (known?.includes(etag)) return reply.code(304).send();
  if (gzipped) reply.header("content-encoding", "gzip");
  // The file can have been removed in the meantime.
  return (await sendFile(files.pathOf(file, gzipped), request, reply.type(typeOf(file)))) ?? notFound(reply);
}

function notFound(reply: FastifyReply): FastifyReply {
  reply.removeHeader("content-encoding").removeHeader("etag");
  return reply.code(404).headers({ "cache-control": "no-store" }).type("application/json").send({ error: "Not found" });
}

function typeOf({ name }: AppFile): string {
  return TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
}

function acceptsGzip(header: string | undefined): boolean {
  const entry = header?.split(",").find((each) => /^\s*(?:x-)?gzip\s*(?:;|$)/i.test(each));
  return entry !== undefined && !/;\s*q=0(?:\.0*)?\s*$/.test(entry);
}
