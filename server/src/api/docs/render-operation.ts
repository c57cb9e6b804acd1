import { type Html, html } from "#api/pages/html";
import { type DocumentOperation, type Schemas, schemaIn } from "./document.ts";
import { curlOf, exampleOf } from "./example.ts";
import { inline, prose } from "./prose.ts";
import { renderParameters, renderSchema } from "./render-fields.ts";

export interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: DocumentOperation;
}

/** Described once, in the introduction. */
const IN_INTRODUCTION = "Service-API-Version";
const PLACES = [
  ["path", "Path"],
  ["query", "Query parameters"],
  ["header", "Headers"],
] as const;

export function renderOperation(route: Route, schemas: Schemas, baseUrl: string): Html {
  const { method, path, operation } = route;
  const { operationId, summary, deprecated } = operation;
  // The last paragraph of the description is the scope, which is shown separately.
  const description = operation.description.split("\n\n").slice(0, -1).join("\n\n");
  const search = [operationId, summary, method, path, ...operation.tags].join(" ").toLowerCase();
  return html`<article id="${operationId}" data-search="${search}">
  <div class="operation-text">
    <h3><a class="anchor" href="#${operationId}">${summary}</a></h3>
    <p class="route">${renderMethod(method)} <code class="path">${breakable(path)}</code></p>
    <p class="scope">Scope <code>${operation["x-required-scope"]}</code>${deprecated ? html` <span class="mark deprecated">deprecated</span>` : undefined}</p>
    ${description === "" ? undefined : prose(description)}
    ${PLACES.map(([place, title]) => renderPlace(operation, place, title, schemas))}
    ${renderBody(operation, schemas)}
    ${renderResponses(operation, schemas)}
  </div>
  <div class="operation-examples">
    ${renderExample("Request", curlOf(route, schemas, baseUrl))}
    ${renderResponseExample(operation, schemas)}
  </div>
</article>
`;
}

export function renderMethod(method: string, label = method): Html {
  return html`<span class="method ${method.toLowerCase()}">${label}</span>`;
}

/** Allows line breaks after slashes. */
function breakable(path: string): readonly Html[] {
  return path.split(/(?<=\/)/).map((part) => html`${part}<wbr>`);
}

function renderPlace(operation: DocumentOperation, place: string, title: string, schemas: Schemas): Html {
  const parameters = operation.parameters.filter((each) => each.in === place && each.name !== IN_INTRODUCTION);
  return parameters.length === 0 ? html`` : html`<h4>${title}</h4>${renderParameters(parameters, schemas)}`;
}

function renderBody({ requestBody }: DocumentOperation, schemas: Schemas): Html {
  const schema = requestBody && schemaIn(requestBody);
  return schema ? html`<h4>Body</h4>${renderSchema(schema, schemas)}` : html``;
}

function renderResponses({ responses }: DocumentOperation, schemas: Schemas): Html {
  const all = Object.entries(responses);
  const successes = all.filter(([status]) => status < "400");
  const refusals = all.filter(([status]) => status >= "400");
  return html`<h4>Responses</h4>
    ${successes.map(([status, answer]) => {
      const schema = schemaIn(answer);
      return html`<details><summary>${renderStatus(status)} ${answer.description}</summary>${schema ? renderSchema(schema, schemas) : undefined}</details>`;
    })}
    <details><summary>${refusals.map(([status]) => html`${renderStatus(status)} `)}</summary>
      <ul class="fields">${refusals.map(([status, answer]) => html`<li><div class="field">${renderStatus(status)} <span>${inline(answer.description)}</span></div></li>`)}</ul>
    </details>`;
}

function renderStatus(status: string): Html {
  return html`<span class="status s${status.charAt(0)}">${status}</span>`;
}

function renderResponseExample({ responses }: DocumentOperation, schemas: Schemas): Html {
  const [status, answer] = Object.entries(responses).find(([each]) => each < "400") ?? [];
  const schema = answer && schemaIn(answer);
  if (status === undefined || schema === undefined) return html``;
  return renderExample(`Response ${status}`, JSON.stringify(exampleOf(schema, schemas, "answer"), null, 2));
}

function renderExample(title: string, text: string): Html {
  return html`<figure><figcaption>${title}</figcaption><pre tabindex="0"><code>${text}</code></pre></figure>`;
}
