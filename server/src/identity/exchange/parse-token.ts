import { isObject } from "#lib/is-object";
import type { Claims } from "./claims.ts";

/** A token whose parts were decoded. Nothing in it is verified. */
export interface ParsedToken {
  readonly text: string;
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Claims;
  readonly issuer: string;
  readonly audiences: readonly string[];
}

/** Longer tokens do not fit into a header of common servers. */
const MAX_LENGTH = 16 * 1024;
const COMPACT = /^([\w-]+)\.([\w-]+)\.([\w-]*)$/;

/** Undefined: not a JWT in compact form with an issuer. */
export function parseToken(text: string): ParsedToken | undefined {
  const [, first, second] = text.length <= MAX_LENGTH ? (COMPACT.exec(text) ?? []) : [];
  const header = readPart(first);
  const claims = readPart(second);
  if (!header || !claims || typeof claims.iss !== "string" || claims.iss === "") return undefined;
  const audiences = [claims.aud].flat().filter((audience) => typeof audience === "string");
  return { text, header, claims, issuer: claims.iss, audiences };
}

function readPart(part: string | undefined): Claims | undefined {
  if (part === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(part, "base64url")));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The `typ` without its optional prefix, in lowercase (RFC 7515, 4.1.9). */
export function typeOf({ header }: Pick<ParsedToken, "header">): string | undefined {
  const { typ } = header;
  return typeof typ === "string" ? typ.toLowerCase().replace(/^application\//, "") : undefined;
}

/** Identity assertion for enterprise-managed authorization. */
export const ID_JAG = "oauth-id-jag+jwt";
