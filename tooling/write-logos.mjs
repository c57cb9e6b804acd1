/**
 * Copies the logos of connectors from simple-icons, so that the service does not need that package.
 *
 *   node tooling/write-logos.mjs           writes server/catalog/logos.json
 *   node tooling/write-logos.mjs --check   fails if the committed file is out of date
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import * as icons from "simple-icons";

const catalog = new URL("../server/catalog/", import.meta.url);
const connectors = new URL("connectors/", catalog);
const target = new URL("logos.json", catalog);

const bySlug = new Map(Object.values(icons).map((icon) => [icon.slug, icon]));
const logos = Object.fromEntries(usedIcons().map((slug) => [slug, logoOf(slug)]));
const text = `${JSON.stringify(logos, null, 2)}\n`;
if (!process.argv.includes("--check")) {
  writeFileSync(target, text);
} else if (readFileSync(target, "utf8") !== text) {
  console.error("server/catalog/logos.json is out of date. Run `npm run logos`.");
  process.exit(1);
}

function usedIcons() {
  const named = readdirSync(connectors).map((file) => JSON.parse(readFileSync(new URL(file, connectors), "utf8")).icon);
  return [...new Set(named.filter((icon) => icon !== undefined))].sort();
}

function logoOf(slug) {
  const icon = bySlug.get(slug);
  if (icon === undefined) throw new Error(`simple-icons has no icon "${slug}"`);
  // Most icons are CC0. Icons with another license would add obligations for distributors.
  if (icon.license !== undefined) throw new Error(`the icon "${slug}" has its own license: ${icon.license.type}`);
  return { hex: icon.hex, path: icon.path };
}
