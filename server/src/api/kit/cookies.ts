import type { FastifyReply, FastifyRequest } from "fastify";
import { scopedCookieName } from "#lib/cookie-name";

const DAY_S = 24 * 60 * 60;
/** These cookies persist after the browser is closed; the others do not. */
const LIFETIMES_S: Readonly<Partial<Record<CookieName, number>>> = { session: 7 * DAY_S, device: 90 * DAY_S };

/**
 * Scripts cannot read these cookies and other sites' forms do not send them (WEB-5). Under https their names begin with
 * `__Host-`, so that no other host of the domain can set them. Under http, which is limited to loopback, they end with the
 * port: browsers share cookies between the ports of a host, so services on one machine would replace each other's.
 */
export const COOKIES = {
  session: "gatehouse",
  form: "gatehouse-form",
  oidc: "gatehouse-oidc",
  connect: "gatehouse-connect",
  device: "gatehouse-device",
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

export function setCookie(baseUrl: string, reply: FastifyReply, name: CookieName, value: string): void {
  const seconds = LIFETIMES_S[name];
  addCookie(baseUrl, reply, name, value, seconds === undefined ? "" : `; Max-Age=${seconds}`);
}

export function clearCookie(baseUrl: string, reply: FastifyReply, name: CookieName): void {
  addCookie(baseUrl, reply, name, "", "; Max-Age=0");
}

function addCookie(baseUrl: string, reply: FastifyReply, name: CookieName, value: string, rest: string): void {
  const secure = isHttps(baseUrl) ? "; Secure" : "";
  reply.header("set-cookie", `${fullName(baseUrl, name)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}${rest}`);
}

function fullName(baseUrl: string, name: CookieName): string {
  return scopedCookieName(baseUrl, COOKIES[name]);
}

export function isHttps(baseUrl: string): boolean {
  return baseUrl.startsWith("https:");
}
