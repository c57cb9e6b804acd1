import { NativeSelect, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { type CommandArgument, previewFields } from "./commands.ts";

interface Props {
  readonly slug: string;
  readonly draft: NonNullable<Schemas["RenderCommand"]["draft"]> & { readonly content: string };
  readonly shown: readonly CommandArgument[];
}

/** A form as a client shows it, and the text that the gateway returns for it. */
export function CommandPreview({ slug, draft, shown }: Props) {
  const api = useApi();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const fields = previewFields(draft.content, shown);
  const given = Object.fromEntries(fields.flatMap((name) => (values[name] ? [[name, values[name]]] : [])));
  const missing = shown.filter(({ name, required }) => required && name !== "" && given[name] === undefined);
  // As text, because an object would be a new value with every render.
  const current = missing.length === 0 ? JSON.stringify({ arguments: given, draft }) : "";
  const [request] = useDebouncedValue(current, 300);
  const { data, error } = useQuery({
    // Not below the key of commands: after a save, the request before it may be invalid.
    queryKey: ["command-preview", slug, request],
    queryFn: async ({ signal }) => {
      const body: Schemas["RenderCommand"] = JSON.parse(request);
      return (await api.renderCommand({ path: { slug }, body, signal })).data;
    },
    placeholderData: keepPreviousData,
    retry: false,
    enabled: request !== "",
  });
  const set = (name: string, value: string) => setValues((old) => ({ ...old, [name]: value }));
  return (
    <section aria-labelledby="command-preview" className="gh-command-preview">
      <h2 id="command-preview">Preview</h2>
      {fields.map((name) => (
        <Field
          key={name}
          name={name}
          argument={shown.find((argument) => argument.name === name)}
          value={values[name] ?? ""}
          onChange={(value) => set(name, value)}
        />
      ))}
      {missing.length > 0 && (
        <span className="gh-dim">{`Enter ${missing.map(({ name }) => name).join(" and ")} to see the text.`}</span>
      )}
      {missing.length === 0 && (error ? <ErrorNote error={error} /> : <pre>{data?.text ?? ""}</pre>)}
    </section>
  );
}

interface FieldProps {
  readonly name: string;
  readonly argument: CommandArgument | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Field({ name, argument, value, onChange }: FieldProps) {
  const common = {
    ...{ label: name, value, withAsterisk: argument?.required ?? false },
    ...(argument?.description && { description: argument.description }),
  };
  if (argument?.enum) {
    return (
      <NativeSelect
        {...common}
        data={["", ...argument.enum]}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <TextInput
      {...common}
      placeholder={argument?.default ?? ""}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
