import { ActionIcon, Button, Checkbox, NumberInput, Select, Textarea, TextInput, Tooltip } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { type ReactNode, useId, useState } from "react";
import { exactNumber, isObject, stringifyExact } from "#openapi/json";
import { clearButton } from "../../components/clear-button.ts";
import type { Problem } from "./check.ts";
import { JsonInput } from "./json-input.tsx";
import { type Field, fromEntries, startValue, variantOf } from "./schema.ts";
import "./schema-form.css";

interface FieldProps {
  readonly field: Field;
  /** Undefined: the argument is omitted. */
  readonly value: unknown;
  /** Undefined for the root. */
  readonly name?: string | undefined;
  readonly path: string;
  readonly isRequired: boolean;
  readonly problems: readonly Problem[];
  onChange(value: unknown): void;
}

/** The form of a schema, as a controlled component. */
export function SchemaField(props: FieldProps) {
  const { field, value, name, onChange } = props;
  const isNull = field.isNullable && value === null;
  const input = isNull ? <TextInput {...labelOf(props)} value="null" disabled /> : <Input {...props} />;
  if (!field.isNullable) return input;
  return (
    <div className="gh-field-nullable">
      {input}
      <Checkbox
        size="xs"
        label="null"
        aria-label={`${name ?? "value"} is null`}
        checked={isNull}
        onChange={(event) => onChange(event.currentTarget.checked ? null : undefined)}
      />
    </div>
  );
}

function Input(props: FieldProps): ReactNode {
  const { field, value, isRequired, onChange } = props;
  const label = labelOf(props);
  const orUndefined = (text: string) => onChange(text === "" ? undefined : text);
  switch (field.kind) {
    case "text": {
      const shown = typeof value === "string" ? value : "";
      return field.isLong ? (
        <Textarea
          {...label}
          autosize
          minRows={3}
          maxRows={12}
          value={shown}
          onChange={(e) => orUndefined(e.currentTarget.value)}
        />
      ) : (
        <TextInput
          {...label}
          placeholder={field.format}
          value={shown}
          onChange={(e) => orUndefined(e.currentTarget.value)}
        />
      );
    }
    case "number":
      return (
        <NumberInput
          {...label}
          allowDecimal={!field.isInteger}
          value={typeof value === "number" ? value : typeof value === "bigint" ? String(value) : ""}
          onChange={(given) =>
            onChange(given === "" || Number.isNaN(Number(given)) ? undefined : exactNumber(String(given)))
          }
        />
      );
    case "boolean":
      return (
        <Select
          {...label}
          data={["true", "false"]}
          placeholder="Not set"
          clearable={!isRequired}
          clearButtonProps={clearButton(`Clear ${name ?? "value"}`)}
          value={typeof value === "boolean" ? String(value) : null}
          onChange={(chosen) => onChange(chosen === null ? undefined : chosen === "true")}
        />
      );
    case "choice":
      return <ChoiceInput {...props} options={field.options} />;
    case "const":
      return <TextInput {...label} value={asText(field.value)} readOnly variant="filled" />;
    case "object":
      return <ObjectInput {...props} members={field.members} />;
    case "list":
      return <ListInput {...props} item={field.item} />;
    case "variants":
      return <VariantInput {...props} variants={field.variants} />;
    case "json":
      return <JsonInput {...label} value={value} onChange={onChange} isRequired={isRequired} />;
  }
}

/** The label, description, and error of a field. */
function labelOf({ field, name, path, isRequired, problems }: FieldProps) {
  const problem = problems.find((each) => each.path === path);
  return {
    label: name ?? "Arguments",
    description: field.description,
    withAsterisk: isRequired,
    error: problem?.message,
    spellCheck: false,
    autoComplete: "off",
  };
}

function ChoiceInput(props: FieldProps & { readonly options: readonly unknown[] }) {
  const { options, value, onChange, isRequired } = props;
  const at = options.indexOf(value);
  return (
    <Select
      {...labelOf(props)}
      data={options.map((option, index) => ({ value: String(index), label: asText(option) }))}
      placeholder="Not set"
      clearable={!isRequired}
      clearButtonProps={clearButton(`Clear ${props.name ?? "value"}`)}
      searchable={options.length > 10}
      value={at < 0 ? null : String(at)}
      onChange={(chosen) => onChange(chosen === null ? undefined : options[Number(chosen)])}
    />
  );
}

function ObjectInput(props: FieldProps & { readonly members: Extract<Field, { kind: "object" }>["members"] }) {
  const { members, value, path, name, isRequired, problems, onChange } = props;
  const given = isObject(value) ? value : {};
  const change = (member: string, next: unknown) => {
    const entries = Object.entries(given).filter(([key]) => key !== member);
    const all = next === undefined ? entries : [...entries, [member, next] as const];
    onChange(all.length === 0 && !isRequired && name !== undefined ? undefined : fromEntries(all));
  };
  // Constants that are already set need no input.
  const shown = members.filter(({ name: own, field }) => field.kind !== "const" || given[own] !== field.value);
  const fields = shown.map((member) => (
    <SchemaField
      key={member.name}
      field={member.field}
      name={member.name}
      path={`${path}/${member.name}`}
      isRequired={member.isRequired}
      problems={problems}
      value={Object.hasOwn(given, member.name) ? given[member.name] : undefined}
      onChange={(next) => change(member.name, next)}
    />
  ));
  if (name === undefined) return <div className="gh-fields">{fields}</div>;
  return <Framed {...props}>{fields}</Framed>;
}

function ListInput(props: FieldProps & { readonly item: Field }) {
  const { item, value, path, name, isRequired, problems, onChange } = props;
  const given: readonly unknown[] = Array.isArray(value) ? value : [];
  const put = (next: readonly unknown[]) => onChange(next.length === 0 && !isRequired ? undefined : next);
  return (
    <Framed {...props}>
      {given.map((each, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no identity other than their position.
        <div key={at} className="gh-list-entry">
          <SchemaField
            field={item}
            name={`${name ?? "entry"} ${at + 1}`}
            path={`${path}/${at}`}
            isRequired
            problems={problems}
            value={each}
            onChange={(next) => put(given.with(at, next ?? emptyOf(item)))}
          />
          <Tooltip label="Remove">
            <ActionIcon aria-label={`Remove ${name ?? "entry"} ${at + 1}`} onClick={() => put(given.toSpliced(at, 1))}>
              <IconTrash size={15} />
            </ActionIcon>
          </Tooltip>
        </div>
      ))}
      <div>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
          onClick={() => onChange([...given, startValue(item, true) ?? emptyOf(item)])}
        >
          Add
        </Button>
      </div>
    </Framed>
  );
}

/** The value of a new list entry. */
function emptyOf(field: Field): unknown {
  if (field.kind === "text") return "";
  if (field.kind === "list") return [];
  return field.kind === "object" ? {} : null;
}

function VariantInput(props: FieldProps & { readonly variants: Extract<Field, { kind: "variants" }>["variants"] }) {
  const { variants, value, onChange } = props;
  const [chosen, setChosen] = useState(value === undefined ? undefined : variantOf(variants, value));
  const variant = chosen === undefined || value === undefined ? undefined : variants[chosen];
  return (
    <Framed {...props}>
      <Select
        aria-label={`Kind of ${props.name ?? "arguments"}`}
        data={variants.map(({ label }, at) => ({ value: String(at), label }))}
        placeholder="Not set"
        clearable={!props.isRequired}
        clearButtonProps={clearButton(`Clear ${props.name ?? "arguments"}`)}
        value={variant === undefined ? null : String(chosen)}
        onChange={(next) => {
          const field = next === null ? undefined : variants[Number(next)]?.field;
          setChosen(next === null ? undefined : Number(next));
          onChange(field && (startValue(field, true) ?? emptyOf(field)));
        }}
      />
      {variant && (
        <SchemaField
          {...props}
          field={variant.field}
          isRequired
          name={variant.field.kind === "object" ? undefined : variant.label}
        />
      )}
    </Framed>
  );
}

/** A field with nested fields. */
function Framed({ children, ...props }: FieldProps & { readonly children: ReactNode }) {
  const { label, description, withAsterisk, error } = labelOf(props);
  const id = useId();
  return (
    <fieldset className="gh-field-group" aria-labelledby={id}>
      <div className="gh-field-legend" id={id}>
        {label}
        {withAsterisk && <span className="gh-required"> *</span>}
      </div>
      {description !== undefined && <div className="gh-field-description">{description}</div>}
      {error !== undefined && <div className="gh-field-error">{error}</div>}
      <div className="gh-fields">{children}</div>
    </fieldset>
  );
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : (stringifyExact(value) ?? "");
}
