import { readFileSync } from "node:fs";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ApiContext } from "#api/kit/api-context";
import { isHttps } from "#api/kit/cookies";
import { upTo } from "#api/kit/relative-path";
import { renderError } from "#api/kit/render-error";
import { type Html, html } from "./html.ts";

export interface Page {
  readonly title: string;
  readonly body: Html;
  /** An additional target for the page's form, as an origin or a scheme in Content-Security-Policy syntax. */
  readonly leadsTo?: string | undefined;
}

/**
 * WEB-1: only our own resources, and no framing. The referrer is limited to our origin; without any referrer, browsers
 * would send our forms with `Origin: null`.
 */
const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const HEADERS = {
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
};

/** Sends a small page that works without scripts, for people who are not signed in or do not need the app. */
export function sendPage(context: ApiContext, reply: FastifyReply, status: number, page: Page): FastifyReply {
  const { headers, body } = renderPage(context, reply.request.url, page);
  return reply.code(status).headers(headers).send(body);
}

/** Renders a page for callers without a Fastify reply. */
export function renderPage(context: Pick<ApiContext, "orgName" | "baseUrl">, url: string, page: Page) {
  const { title, leadsTo } = page;
  const root = upTo(url);
  const body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${context.orgName}</title>
<link rel="icon" type="image/svg+xml" href="${root}pages/mark.svg">
<link rel="stylesheet" href="${root}pages/page.css">
<script type="module" src="${root}pages/page.js"></script>
</head>
<body>
<main>
<p class="organization"><img src="${root}pages/mark.svg" alt="" width="24" height="24">${context.orgName}</p>
<h1>${title}</h1>
${page.body}
</main>
</body>
</html>
`.text;
  const headers = {
    ...HEADERS,
    "content-security-policy":
      leadsTo === undefined ? POLICY : POLICY.replace("'self'; frame", `'self' ${leadsTo}; frame`),
    "content-type": "text/html; charset=utf-8",
    ...(isHttps(context.baseUrl) ? { "strict-transport-security": "max-age=31536000" } : {}),
  };
  return { headers, body };
}

/** Sends an error page with a message of one or two sentences. */
export function sendErrorPage(
  context: ApiContext,
  reply: FastifyReply,
  status: number,
  title: string,
  sentence: string,
) {
  return sendPage(context, reply, status, { title, body: html`<p role="alert">${sentence}</p>` });
}

export function sendNeedsHttps(context: ApiContext, reply: FastifyReply): FastifyReply {
  const sentence =
    "Signing in requires HTTPS, because passwords and sessions must not cross the network unencrypted. Put a proxy with a certificate in front of Gatehouse and set BASE_URL to its https URL, or open Gatehouse on the machine it runs on.";
  return sendErrorPage(context, reply, 400, "HTTPS required", sentence);
}

/** Titles and messages by status, for pages where the API's messages would not help the reader. */
export interface ErrorPageTexts {
  readonly titles: Readonly<Record<number, string>>;
  readonly sentences: Readonly<Record<number, string>>;
}

/** Sends the error page for an exception thrown by a page handler. */
export function sendFaultPage(
  context: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  { titles, sentences }: ErrorPageTexts = { titles: {}, sentences: {} },
): FastifyReply {
  const { status, body, headers, isCrash } = renderError(error, "Something went wrong. Try again.");
  if (isCrash) context.logger.error({ err: error, requestId: request.id }, "failed to render a page");
  const sentence = sentences[status] ?? ("message" in body ? body.message : body.error);
  const title = titles[status] ?? (isCrash ? "Something went wrong" : "Request failed");
  return sendErrorPage(context, reply.headers(headers), status, title, sentence);
}

/** Serves the stylesheet, the logo, and an optional script. */
export function mountPageFiles(server: FastifyInstance): void {
  for (const [name, type] of [
    ["page.css", "text/css; charset=utf-8"],
    ["page.js", "text/javascript; charset=utf-8"],
    ["mark.svg", "image/svg+xml"],
  ] as const) {
    const text = readFileSync(new URL(name, import.meta.url), "utf8");
    server.get(`/pages/${name}`, (_request, reply) => reply.type(type).header("cache-control", "no-cache").send(text));
  }
}
