import assert from "node:assert/strict";
import { it } from "node:test";
import { arrangeNavigation } from "./arrange-navigation.ts";
import type { KnownPage, PageData } from "./page-data.ts";

type NavData = Omit<NonNullable<PageData["nav"]>, "icon">;

function page(path: string, nav?: NavData): KnownPage {
  // The arrangement never renders an icon.
  const withIcon = nav as PageData["nav"];
  return { path, title: path, audience: "everyone", ...(withIcon ? { nav: withIcon } : {}) };
}

const PAGES = [
  page("/settings", { section: "bottom", order: 10 }),
  page("/users", { section: "access", order: 20 }),
  page("/groups", { section: "access", order: 10 }),
  page("/account"),
];

it("shows sections and their pages in order, without empty sections and pages outside the navigation", () => {
  const arranged = arrangeNavigation(PAGES).map(({ section, pages }) => [section.id, pages.map(({ path }) => path)]);
  assert.deepEqual(arranged, [
    ["access", ["/groups", "/users"]],
    ["bottom", ["/settings"]],
  ]);
});
