/** Reads what people write after `npx`, `uvx` and `docker run`. */
import type { ServerPackage } from "./types.ts";
import { normalizeUrl } from "./urls.ts";

export interface CommandIdentity {
  /** Groups the same server over devices, such as `npm:@acme/server`. */
  readonly identity: string;
  readonly package?: ServerPackage;
}

/** What is known about the arguments of a program that starts other commands (decision 0255). */
export interface ReadCommand {
  /** Undefined if it is not known. */
  readonly main?: CommandIdentity | undefined;
  /** What it installs or runs besides, or could install. */
  readonly also?: readonly CommandIdentity[];
  /** The program in the package, with its arguments. */
  readonly starts?: readonly string[];
}

const NPM_NAME = /^(@[a-z0-9~_-][a-z0-9._~-]*\/)?[a-z0-9~_-][a-z0-9._~-]*$/i;
const PYPI_NAME = /^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)(?:\[[^\]]*\])?$/;
const ANY_URL = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * `@acme/server@1.2.3`. What follows the version's `@` can replace the package: `name@npm:other`, `name@https://…` and
 * `name@file:…` run something else than `name` says, and are identified by it.
 */
export function npmPackage(spec: string): CommandIdentity | undefined {
  if (spec === "") return undefined;
  const at = spec.indexOf("@", 1);
  const name = at === -1 ? spec : spec.slice(0, at);
  const version = at === -1 ? "" : spec.slice(at + 1);
  // A URL can contain `@` too, but then the text before it is no name.
  if (!NPM_NAME.test(name)) return otherSource("npm", spec);
  if (version.startsWith("npm:")) return npmPackage(version.slice(4));
  if (isNpmSource(version)) return otherSource("npm", version);
  return registered("npm", name.toLowerCase(), version);
}

/** A URL, `github:acme/server`, `acme/server`, or a path. Versions and tags contain neither `:` nor `/`. */
function isNpmSource(spec: string): boolean {
  return /[:/]/.test(spec) || isPath(spec);
}

/** `name`, `name==1.2.3`, `name@1.2.3`, `name[extra]`, `git+https://…`. */
export function pypiPackage(spec: string): CommandIdentity | undefined {
  if (spec === "") return undefined;
  if (ANY_URL.test(spec) || isPath(spec)) return otherSource("pypi", spec);
  const [, name = "", rest = ""] = /^([^=<>~!@;]+)(.*)$/s.exec(spec) ?? [];
  const source = /^@\s*(.+)$/s.exec(rest)?.[1];
  if (source !== undefined && (ANY_URL.test(source) || isPath(source))) return otherSource("pypi", source);
  const [, plain] = PYPI_NAME.exec(name.trim()) ?? [];
  if (plain === undefined) return otherSource("pypi", spec);
  const version = /^(?:===?|@)\s*([^,;\s]+)$/.exec(rest.trim())?.[1] ?? rest.trim();
  return registered("pypi", plain.toLowerCase().replace(/[-_.]+/g, "-"), version);
}

/** `ghcr.io/acme/server:1.2@sha256:…`. Docker Hub is the default and is not written. */
export function ociPackage(image: string): CommandIdentity {
  const [withTag = "", digest] = image.split("@");
  const slash = withTag.lastIndexOf("/");
  const colon = withTag.indexOf(":", slash + 1);
  const repository = (colon === -1 ? withTag : withTag.slice(0, colon)).toLowerCase();
  const name = repository
    .replace(/^(?:docker\.io|index\.docker\.io|registry-1\.docker\.io)\//, "")
    .replace(/^library\//, "");
  const version = digest ?? (colon === -1 ? "" : withTag.slice(colon + 1));
  return registered("oci", name, version);
}

function registered(type: "npm" | "pypi" | "oci", name: string, version: string): CommandIdentity {
  return { identity: `${type}:${name}`, package: { type, name, ...(version !== "" && { version }) } };
}

/** A path is a script on this device. Everything else is identified by where it is downloaded from. */
function otherSource(type: "npm" | "pypi", source: string): CommandIdentity {
  const withoutPrefix = source.replace(/^(?:file|link):/, "");
  if (isPath(withoutPrefix) || source.startsWith("file:")) {
    const base = withoutPrefix.split(/[/\\]/).findLast((part) => part !== "" && part !== ".") ?? withoutPrefix;
    return { identity: `script:${base}` };
  }
  const [location = "", ref] = source.split("#");
  const hosted = /^[\w.-]+\/[\w.-]+$/.test(location);
  const name = hosted ? `github:${location}` : normalizeUrl(location);
  return {
    identity: `${type}:${name}`,
    package: { type, name, ...(ref && /^[\w.-]+$/.test(ref) && { version: ref }) },
  };
}

function isPath(text: string): boolean {
  return /^(?:\.{1,2}(?:[/\\]|$)|[/\\~]|[A-Za-z]:[/\\])/.test(text);
}

const EXACT_PYPI = /^v?\d+(?:\.\d+)*(?:[-+.]?[A-Za-z0-9][A-Za-z0-9.+-]*)?$/;
/** `1` and `1.x` are ranges. */
const EXACT_NPM = /^v?\d+\.\d+\.\d+(?:[-+][A-Za-z0-9.+-]+)?$/;

/** Whether the next start can run other code than the last: no version, a range, or a moving tag. */
export function isUnpinned({ type, version = "" }: { readonly type: string; readonly version?: string }): boolean {
  if (type === "binary") return false;
  if (type === "oci") return version === "" || version === "latest";
  return !(type === "npm" ? EXACT_NPM : EXACT_PYPI).test(version) && !/^[0-9a-f]{40}$/.test(version);
}
