import { type Html, html } from "#api/pages/html";
import { type DocumentParameter, nameOf, resolved, type Schema, type Schemas } from "./document.ts";
import { inline } from "./prose.ts";

interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly deprecated?: boolean | undefined;
  readonly description?: string | undefined;
  readonly schema: Schema;
}

export function renderParameters(parameters: readonly DocumentParameter[], schemas: Schemas): Html {
  return renderList(parameters, schemas, []);
}

/** Lists the fields of an object or of an array's items, once per variant. */
export function renderSchema(schema: Schema, schemas: Schemas, within: readonly string[] = []): Html {
  const name = nameOf(schema);
  // A schema that contains itself is shown once.
  if (name !== undefined && within.includes(name)) return html``;
  const inside = name === undefined ? within : [...within, name];
  const whole = resolved(schema, schemas);
  if (whole.items) return renderSchema(whole.items, schemas, inside);
  const variants = whole.oneOf ?? whole.anyOf;
  if (variants) {
    return html`${variants.map((variant) => renderVariant(variant, schemas, inside))}`;
  }
  const fields = Object.entries(whole.properties ?? {}).map(([field, fieldSchema]) => ({
    name: field,
    required: whole.required?.includes(field) ?? false,
    schema: fieldSchema,
  }));
  return fields.length === 0 ? html`` : renderList(fields, schemas, inside);
}

function renderVariant(variant: Schema, schemas: Schemas, within: readonly string[]): Html {
  const { description } = resolved(variant, schemas);
  return html`<div class="variant">
    <p class="variant-name">${inline(description ?? nameOf(variant) ?? "Or")}</p>
    ${renderSchema(variant, schemas, within)}
  </div>`;
}

function renderList(fields: readonly Field[], schemas: Schemas, within: readonly string[]): Html {
  return html`<ul class="fields">${fields.map((field) => renderField(field, schemas, within))}</ul>`;
}

function renderField(field: Field, schemas: Schemas, within: readonly string[]): Html {
  const whole = resolved(field.schema, schemas);
  const description = field.description ?? whole.description;
  const limits = limitsOf(whole);
  return html`<li>
    <div class="field">
      <code class="name">${field.name}</code>
      <span class="type">${typeText(whole, schemas)}</span>
      ${field.required ? html`<span class="mark required">required</span>` : undefined}
      ${whole.writeOnly ? html`<span class="mark">write-only</span>` : undefined}
      ${field.deprecated ? html`<span class="mark deprecated">deprecated</span>` : undefined}
    </div>
    ${description ? html`<div class="description">${inline(description)}</div>` : undefined}
    ${limits.length > 0 ? html`<div class="limits">${limits}</div>` : undefined}
    ${renderSchema(field.schema, schemas, within)}
  </li>`;
}

export function typeText(schema: Schema, schemas: Schemas): string {
  const whole = resolved(schema, schemas);
  const type = plainTypeText(whole, schemas);
  return whole.nullable ? `${type} or null` : type;
}

function plainTypeText(schema: Schema, schemas: Schemas): string {
  if (schema.items) return `array of ${typeText(schema.items, schemas)}`;
  if (schema.oneOf ?? schema.anyOf) return "one of the following";
  if (schema.format === "date-time") return "timestamp";
  if (schema.format === "email") return "email";
  if (schema.format === "uri") return "URL";
  return schema.type ?? "any value";
}

function limitsOf(schema: Schema): readonly Html[] {
  const {
    minimum,
    maximum,
    maxLength,
    maxItems,
    enum: values,
    default: fallback,
  } = schema.items?.enum ? schema.items : schema;
  const range =
    minimum !== undefined && maximum !== undefined
      ? `${minimum} to ${maximum}`
      : minimum !== undefined
        ? `at least ${minimum}`
        : maximum !== undefined
          ? `at most ${maximum}`
          : undefined;
  return [
    ...(values ? [html`<span>${values.map((value) => html`<code>${code(value)}</code> `)}</span>`] : []),
    ...(range === undefined ? [] : [html`<span>${range}</span>`]),
    ...(maxLength === undefined ? [] : [html`<span>at most ${maxLength.toLocaleString("en")} characters</span>`]),
    ...(maxItems === undefined ? [] : [html`<span>at most ${maxItems.toLocaleString("en")} entries</span>`]),
    ...(fallback === undefined ? [] : [html`<span>default <code>${code(fallback)}</code></span>`]),
  ];
}

function code(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
