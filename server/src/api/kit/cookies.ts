import type { FastifyReply, FastifyRequest } from "fastify";

const SECONDS_OF_SESSION = 7 * 24 * 60 * 60;

/**
 * Scripts cannot read these cookies and other sites' forms do not send them (WEB-5). Under https their names begin with
 * `__Host-`, so that no other host of the domain can set them.
 */
export const COOKIES = {
  session: "gatehouse",
  form: "gatehouse-form",
  oidc: "gatehouse-oidc",
  connect: "gatehouse-connect",
} as const;
export type CookieName = keyof typeof COOKIES;

export function readCookie(baseUrl: string, request: FastifyRequest, name: CookieName): string | undefined {
  const wanted = fullName(baseUrl, name);
  for (const pair of (request.headers.cookie ?? "").split(";")) {
    const equals = pair.indexOf("=");
    if (equals > 0 && pair.slice(0, equals).trim() === wanted) return pair.slice(equals + 1).trim() || undefined;
  }
  return undefined;
}

/** The session cookie persists after the browser is closed; the others do not. */
export function setCookie(baseUrl: string, reply: FastifyReply, name: CookieName, value: string): void {
  addCookie(baseUrl, reply, name, value, name === "session" ? `; Max-Age=${SECONDS_OF_SESSION}` : "");
}

export function clearCookie(baseUrl: string, reply: FastifyReply, name: CookieName): void {
  addCookie(baseUrl, reply, name, "", "; Max-Age=0");
}

function addCookie(baseUrl: string, reply: FastifyReply, name: CookieName, value: string, rest: string): void {
  const secure = isHttps(baseUrl) ? "; Secure" : "";
  reply.header("set-cookie", `${fullName(baseUrl, name)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}${rest}`);
}

function fullName(baseUrl: string, name: CookieName): string {
  return `${isHttps(baseUrl) ? "__Host-" : ""}${COOKIES[name]}`;
}

export function isHttps(baseUrl: string): boolean {
  return baseUrl.startsWith("https:");
}
