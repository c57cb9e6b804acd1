import { type Html, html } from "#api/pages/html";
import type { ApiDocument } from "./document.ts";
import { prose } from "./prose.ts";
import { type Route, renderMethod, renderOperation } from "./render-operation.ts";

/** Renders the API document as a page that works without scripts and loads nothing from other hosts. */
export function renderPage(document: ApiDocument, baseUrl: string): string {
  const { info, tags, paths, components } = document;
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const families = tags.map((tag) => ({
    ...tag,
    anchor: `tag-${tag.name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`,
    routes: routes.filter((route) => route.operation.tags[0] === tag.name),
  }));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title}</title>
<link rel="icon" type="image/svg+xml" href="pages/mark.svg">
<link rel="stylesheet" href="docs/page.css">
<script type="module" src="docs/page.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<input type="checkbox" id="menu" class="menu" aria-label="Show menu">
<header class="brand">
  <a class="title" href="#content">${info.title}</a>
  <label for="menu" aria-hidden="true">Menu</label>
</header>
<nav aria-label="Operations">
  <p class="filter" hidden><input type="search" id="filter" placeholder="Filter operations" aria-label="Filter operations" autocomplete="off" spellcheck="false"><kbd>/</kbd></p>
  ${families.map(({ name, anchor, routes: own }) => html`<section><h2><a href="#${anchor}">${name}</a></h2><ul>${own.map(renderLink)}</ul></section>`)}
</nav>
<main id="content">
  <header class="intro">
    <h1>${info.title}</h1>
    <p class="facts"><span>Version ${info.version}</span> <code>${baseUrl}</code> <a href="openapi.json">openapi.json</a></p>
    ${prose(info.description)}
  </header>
  <p id="nothing" role="status" hidden>No matching operations.</p>
  ${families.map(
    (family) => html`<section class="family" id="${family.anchor}">
    <h2>${family.name}</h2>
    ${family.description === undefined ? undefined : prose(family.description)}
    ${family.routes.map((route) => renderOperation(route, components.schemas, baseUrl))}
  </section>`,
  )}
</main>
</body>
</html>
`.text;
}

function renderLink({ method, operation }: Route): Html {
  return html`<li><a href="#${operation.operationId}">${renderMethod(method, method === "DELETE" ? "DEL" : method)} <span>${operation.summary}</span></a></li>`;
}
