import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { JsonView } from "../../components/json-view.tsx";
import { Section } from "../../components/section.tsx";
import { type SchemaRow, schemaRows } from "./schema-rows.ts";
import "./schema-tree.css";

interface SchemaSectionProps {
  readonly title: string;
  /** Null: not declared. */
  readonly schema: unknown;
  /** Shown if the schema has no properties. */
  readonly empty: string;
}

/** A JSON Schema as a tree of properties, or as JSON. */
export function SchemaSection({ title, schema, empty }: SchemaSectionProps) {
  const [view, setView] = useState("tree");
  const rows = schemaRows(schema);
  const choice = schema !== null && (
    <SegmentedControl
      size="xs"
      aria-label={`View of ${title.toLowerCase()}`}
      data={[
        { value: "tree", label: "Fields" },
        { value: "json", label: "JSON" },
      ]}
      value={view}
      onChange={setView}
    />
  );
  return (
    <Section title={title} actions={choice}>
      {view === "json" && schema !== null ? (
        <JsonView value={schema} label={title} />
      ) : rows.length === 0 ? (
        <span className="gh-dim">{empty}</span>
      ) : (
        <Rows rows={rows} />
      )}
    </Section>
  );
}

function Rows({ rows }: { rows: readonly SchemaRow[] }) {
  return (
    <ul className="gh-schema">
      {rows.map((row) => (
        <li key={row.name}>
          <div>
            <code>{row.name}</code> <span className="gh-dim">{row.type}</span>
            {row.isRequired && <span className="gh-schema-required">required</span>}
          </div>
          {row.description !== undefined && <div className="gh-schema-text">{row.description}</div>}
          {row.values.length > 0 && <div className="gh-dim">One of: {row.values.join(", ")}</div>}
          {row.fallback !== undefined && <div className="gh-dim">Default: {row.fallback}</div>}
          {row.rows.length > 0 && <Rows rows={row.rows} />}
        </li>
      ))}
    </ul>
  );
}
