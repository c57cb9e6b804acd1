import { Checkbox, MultiSelect, PasswordInput, Select, Stack, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { OUTCOME_LABELS } from "../logs/call-labels.ts";
import type { DestinationValues } from "./destination-values.ts";
import { KIND_LABELS, type LogDestination } from "./log-destinations.ts";

interface DestinationFormProps {
  readonly initial: DestinationValues;
  /** The stored destination, when it is edited. */
  readonly stored?: Pick<LogDestination, "header_names"> | undefined;
  readonly action: string;
  onClose(): void;
  submit(values: DestinationValues): Promise<unknown>;
}

interface FieldsProps {
  readonly form: UseFormReturnType<DestinationValues>;
  readonly stored: DestinationFormProps["stored"];
}

const KINDS = Object.entries(KIND_LABELS).map(([value, label]) => ({ value, label }));
const OUTCOMES = Object.entries(OUTCOME_LABELS).map(([value, { label }]) => ({ value, label }));
const ADDRESSING = [
  { value: "path", label: "Path: endpoint/bucket" },
  { value: "virtual_host", label: "Virtual host: bucket.endpoint" },
];
const KEPT = "Stored encrypted. Leave empty to keep it";

/** The fields of a log destination, for creating and editing. The kind of an existing one cannot be changed. */
export function DestinationForm({ initial, stored, action, onClose, submit }: DestinationFormProps) {
  const { form, onSubmit, isWorking, error } = useServerForm<DestinationValues>({
    initial,
    fieldOf: (field) => (field.startsWith("headers") ? "authorization" : field.replace(/\..*/, "")),
    validate: ({ name, sources }) => ({
      ...(name.trim() === "" ? { name: "Enter a name" } : {}),
      ...(sources.length === 0 ? { sources: "Select at least one log" } : {}),
    }),
    submit,
  });
  const { kind, sources } = form.values;
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <TextInput label="Name" placeholder="Collector" data-autofocus {...form.getInputProps("name")} />
        {!stored && <Select label="Type" data={KINDS} allowDeselect={false} {...form.getInputProps("kind")} />}
        <Checkbox.Group label="Logs" {...form.getInputProps("sources")}>
          <Stack gap={6} mt={6}>
            <Checkbox value="calls" label="Call log" description="One record per call, without its payload" />
            <Checkbox value="audit" label="Audit log" description="Every change, with signed checkpoints" />
          </Stack>
        </Checkbox.Group>
        {sources.includes("calls") && (
          <MultiSelect
            label="Outcomes"
            description="Only calls with these outcomes are sent"
            data={OUTCOMES}
            placeholder={form.values.outcomes.length === 0 ? "All outcomes" : ""}
            clearable
            clearButtonProps={{ "aria-label": "Clear outcomes" }}
            {...form.getInputProps("outcomes")}
          />
        )}
        {(kind === "otlp" || kind === "webhook") && <RequestFields form={form} stored={stored} />}
        {kind === "s3" && <BucketFields form={form} stored={stored} />}
        {(kind === "s3" || kind === "file") && (
          <TextInput
            label="Prefix"
            placeholder={kind === "s3" ? "gatehouse/" : "gatehouse"}
            description={kind === "s3" ? "Optional start of object keys" : "Start of the file names in LOG_FILES_DIR"}
            {...form.getInputProps("prefix")}
          />
        )}
        <ErrorNote error={error} />
        <DialogActions onCancel={onClose} isWorking={isWorking}>
          {action}
        </DialogActions>
      </Stack>
    </form>
  );
}

function RequestFields({ form, stored }: FieldsProps) {
  const { kind, authorization } = form.values;
  const names = stored?.header_names ?? [];
  return (
    <>
      <TextInput
        label="URL"
        type="url"
        placeholder={kind === "otlp" ? "https://otel.example.com/v1/logs" : "https://logs.example.com/gatehouse"}
        {...form.getInputProps("url")}
      />
      <PasswordInput
        label="Authorization header"
        description={
          names.length === 0
            ? "Optional. Example: Bearer <token>"
            : `Stored headers: ${names.join(", ")}. Leave empty to keep them; a new value replaces all of them`
        }
        autoComplete="off"
        {...form.getInputProps("authorization")}
      />
      {names.length > 0 && authorization === "" && (
        <Checkbox label="Remove the stored headers" {...form.getInputProps("removes_headers", { type: "checkbox" })} />
      )}
      {stored && kind === "webhook" && (
        <PasswordInput
          label="Signing secret"
          description={KEPT}
          placeholder="whsec_…"
          autoComplete="off"
          {...form.getInputProps("secret")}
        />
      )}
    </>
  );
}

function BucketFields({ form, stored }: FieldsProps) {
  return (
    <>
      <TextInput
        label="Endpoint"
        type="url"
        placeholder="https://s3.eu-west-1.amazonaws.com"
        {...form.getInputProps("url")}
      />
      <TextInput label="Region" placeholder="eu-west-1" {...form.getInputProps("region")} />
      <TextInput label="Bucket" placeholder="acme-logs" {...form.getInputProps("bucket")} />
      <Select label="Addressing" data={ADDRESSING} allowDeselect={false} {...form.getInputProps("addressing")} />
      <TextInput label="Access key ID" autoComplete="off" {...form.getInputProps("access_key_id")} />
      <PasswordInput
        label="Secret access key"
        {...(stored && { description: KEPT })}
        autoComplete="off"
        {...form.getInputProps("secret_access_key")}
      />
    </>
  );
}
