import { IconBook2 } from "@tabler/icons-react";
import { createRoute } from "@tanstack/react-router";
import { oneOf, readSearch, text } from "../../components/search-params.ts";
import { lazyPage } from "../../shell/lazy-page.ts";
import { rootRoute } from "../../shell/root-route.tsx";

export const skillsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/skills",
  staticData: {
    title: "Skills",
    audience: "admins",
    nav: { section: "content", order: 16, icon: IconBook2 },
  },
  validateSearch: readSearch({ q: text, status: oneOf("active", "draft"), add: oneOf("skill", "import") }),
  component: lazyPage(() => import("./skills-page.tsx"), "SkillsPage"),
});

export const skillRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/skills/$slug",
  staticData: { title: "Skill", audience: "admins", partOf: "/skills" },
  validateSearch: readSearch({
    tab: oneOf("content", "files", "versions", "access", "settings"),
    file: text,
    version: text,
  }),
  component: lazyPage(() => import("./skill-page.tsx"), "SkillPage"),
});
