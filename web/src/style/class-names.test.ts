import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { it } from "node:test";

const SOURCES = new URL("../", import.meta.url);

/** The page folder or component file that owns a style sheet. */
function ownerOf(path: string): string {
  return path.startsWith("pages/") ? path.split("/").slice(0, 2).join("/") : path;
}

it("styles each class in one page only, because style sheets stay loaded across pages", () => {
  const owners = new Map<string, Set<string>>();
  for (const path of globSync("{pages,shell}/**/*.css", { cwd: SOURCES.pathname })) {
    const sheet = readFileSync(new URL(path, SOURCES), "utf8");
    for (const [name] of sheet.matchAll(/\.gh-[a-z-]+/gm)) {
      owners.set(name, (owners.get(name) ?? new Set()).add(ownerOf(path)));
    }
  }
  assert.ok(owners.size > 50, `${owners.size} classes`);
  const shared = [...owners].filter(([, by]) => by.size > 1).map(([name, by]) => `${name}: ${[...by].join(", ")}`);
  assert.deepEqual(shared, []);
});
