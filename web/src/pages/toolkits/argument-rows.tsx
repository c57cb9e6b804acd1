import { Select, TextInput } from "@mantine/core";
import { StatusPill } from "../../components/status-pill.tsx";
import type { SchemaRow } from "../mcp-servers/schema-rows.ts";
import { type ArgumentEdit, type ArgumentEdits, isText, MODES, type Mode, readValue } from "./arguments.ts";

interface ArgumentRowsProps {
  readonly rows: readonly SchemaRow[];
  readonly edits: ArgumentEdits;
  onChange(edits: ArgumentEdits): void;
}

/** One row for each top-level argument of the tool. */
export function ArgumentRows({ rows, edits, onChange }: ArgumentRowsProps) {
  return (
    <ul className="gh-arguments">
      {rows.map((row) => (
        <ArgumentEditor
          key={row.name}
          row={row}
          edit={edits[row.name] ?? { mode: "free", value: "" }}
          onChange={(edit) => onChange({ ...edits, [row.name]: edit })}
        />
      ))}
    </ul>
  );
}

interface ArgumentEditorProps {
  readonly row: SchemaRow;
  readonly edit: ArgumentEdit;
  onChange(edit: ArgumentEdit): void;
}

function ArgumentEditor({ row, edit: { mode, value }, onChange }: ArgumentEditorProps) {
  const needsValue = mode === "default" || mode === "fixed";
  const isHiddenRequired = mode === "hidden" && row.isRequired;
  return (
    <li>
      <span className="gh-argument-name">
        <code>{row.name}</code>
        <span className="gh-dim">{row.type}</span>
        {row.isRequired && <StatusPill tone="quiet">Required</StatusPill>}
      </span>
      {row.description !== undefined && <span className="gh-dim gh-argument-description">{row.description}</span>}
      <span className="gh-argument-edit">
        <Select
          aria-label={`How ${row.name} is set`}
          data={MODES.map((each) => ({ ...each }))}
          value={mode}
          allowDeselect={false}
          onChange={(chosen) => onChange({ mode: (chosen ?? "free") as Mode, value: value || startOf(row) })}
          error={isHiddenRequired ? "The tool requires it: fix it instead" : undefined}
        />
        {needsValue && <ValueInput row={row} value={value} onChange={(next) => onChange({ mode, value: next })} />}
      </span>
    </li>
  );
}

/** A value that is valid, where one is known. */
function startOf(row: SchemaRow): string {
  return row.values[0] ?? (row.type === "boolean" ? "true" : "");
}

function ValueInput({ row, value, onChange }: { row: SchemaRow; value: string; onChange(value: string): void }) {
  const choices = row.type === "boolean" ? ["true", "false"] : row.values;
  const label = `Value of ${row.name}`;
  if (choices.length > 0) {
    return (
      <Select
        aria-label={label}
        data={choices.map((choice) => ({ value: choice, label: choice.replace(/^"(.*)"$/s, "$1") }))}
        value={value}
        allowDeselect={false}
        onChange={(chosen) => onChange(chosen ?? "")}
      />
    );
  }
  return (
    <TextInput
      aria-label={label}
      placeholder={isText(row) ? "Value" : "Value as JSON"}
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={value !== "" && !readValue(value, row) ? "Enter valid JSON" : undefined}
    />
  );
}
