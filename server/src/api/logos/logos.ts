import { isSlug } from "#lib/slug";
import { type Brand, brandLogo } from "./brand-logo.ts";
import { letterLogo } from "./letter-logo.ts";

export interface LogoOwner {
  readonly name: string;
  readonly icon?: string | undefined;
}

/** Returns the SVG at a path under `/logos/`, or undefined if none exists. */
export type Logos = (path: string) => string | undefined;

export interface LogoSources {
  readonly brands: ReadonlyMap<string, Brand>;
  findConnector(id: string): LogoOwner | undefined;
}

export function createLogos({ brands, findConnector }: LogoSources): Logos {
  return (path) => {
    const [, kind, name = ""] = /^(letters|connectors)\/([^/]+)\.svg$/.exec(path) ?? [];
    if (kind === "letters" && /^(?:[a-z0-9]|mcp)$/.test(name)) return letterLogo(name);
    if (kind === "connectors" && isSlug(name)) return connectorLogo(name);
    return undefined;
  };

  /** A server can outlive its connector. Its logo URL then returns a letter (D29). */
  function connectorLogo(id: string): string {
    const connector = findConnector(id) ?? { name: id };
    const brand = connector.icon === undefined ? undefined : brands.get(connector.icon);
    return brand === undefined ? letterLogo(letterOf(connector.name)) : brandLogo(brand);
  }
}

function letterOf(name: string): string {
  return /[A-Za-z0-9]/.exec(name.normalize("NFKD"))?.[0]?.toLowerCase() ?? "mcp";
}
