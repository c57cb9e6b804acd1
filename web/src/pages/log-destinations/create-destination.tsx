import { Checkbox, Modal, PasswordInput, Select, Stack, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { SecretOnce } from "../../components/secret-once.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { destinationsKey, KIND_LABELS, type Kind } from "./log-destinations.ts";

interface CreateDestinationProps {
  readonly opened: boolean;
  onClose(): void;
}

interface Values extends Record<string, unknown> {
  name: string;
  kind: Kind;
  sources: ("calls" | "audit")[];
  url: string;
  region: string;
  bucket: string;
  prefix: string;
  addressing: "path" | "virtual_host";
  access_key_id: string;
  secret_access_key: string;
  authorization: string;
}

const EMPTY: Values = {
  ...{ name: "", kind: "otlp", sources: ["calls", "audit"], url: "", region: "", bucket: "", prefix: "" },
  ...{ addressing: "path", access_key_id: "", secret_access_key: "", authorization: "" },
};
const KINDS = Object.entries(KIND_LABELS).map(([value, label]) => ({ value, label }));
const ADDRESSING = [
  { value: "path", label: "Path: endpoint/bucket" },
  { value: "virtual_host", label: "Virtual host: bucket.endpoint" },
];

/** The dialog, and then the signing secret of a webhook, which is shown once. */
export function CreateDestination({ opened, onClose }: CreateDestinationProps) {
  const [created, setCreated] = useState<{ name: string; secret: string }>();
  return (
    <>
      <Modal opened={opened} onClose={onClose} title="Create log destination" closeOnClickOutside={false}>
        {opened && <CreateForm onClose={onClose} onSecret={setCreated} />}
      </Modal>
      <SecretOnce
        title={`Signing secret of ${created?.name ?? ""}`}
        description="Your receiver verifies with it that requests come from Gatehouse. It is stored encrypted and cannot be shown again."
        secrets={created === undefined ? null : [{ label: "Signing secret", value: created.secret }]}
        variables={{ GATEHOUSE_WEBHOOK_SECRET: created?.secret ?? "" }}
        fileName={created?.name ?? ""}
        onClose={() => setCreated(undefined)}
      />
    </>
  );
}

interface CreateFormProps {
  onClose(): void;
  onSecret(created: { name: string; secret: string }): void;
}

function CreateForm({ onClose, onSecret }: CreateFormProps) {
  const api = useApi();
  const queries = useQueryClient();
  const { form, onSubmit, isWorking, error } = useServerForm<Values>({
    initial: EMPTY,
    fieldOf: (field) => (field.startsWith("headers") ? "authorization" : field.replace(/\..*/, "")),
    validate: ({ name, sources }) => ({
      ...(name.trim() === "" ? { name: "Enter a name" } : {}),
      ...(sources.length === 0 ? { sources: "Select at least one log" } : {}),
    }),
    async submit(values) {
      const { data, secret } = await api.createLogDestination({ body: bodyOf(values) });
      onClose();
      if (secret !== undefined) onSecret({ name: data.name, secret });
      await queries.invalidateQueries({ queryKey: destinationsKey });
    },
  });
  const { kind } = form.values;
  const hasUrl = kind === "otlp" || kind === "webhook";
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <TextInput label="Name" placeholder="Collector" data-autofocus {...form.getInputProps("name")} />
        <Select label="Kind" data={KINDS} allowDeselect={false} {...form.getInputProps("kind")} />
        <Checkbox.Group label="Logs" {...form.getInputProps("sources")}>
          <Stack gap={6} mt={6}>
            <Checkbox value="calls" label="Call log" description="One record per call, without its payload" />
            <Checkbox value="audit" label="Audit log" description="Every change, with signed checkpoints" />
          </Stack>
        </Checkbox.Group>
        {hasUrl && (
          <>
            <TextInput
              label="URL"
              type="url"
              placeholder={kind === "otlp" ? "https://otel.example.com/v1/logs" : "https://logs.example.com/gatehouse"}
              {...form.getInputProps("url")}
            />
            <PasswordInput
              label="Authorization header"
              description="Optional, such as Bearer followed by a token"
              autoComplete="off"
              {...form.getInputProps("authorization")}
            />
          </>
        )}
        {kind === "s3" && (
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
            <PasswordInput label="Secret access key" autoComplete="off" {...form.getInputProps("secret_access_key")} />
          </>
        )}
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
          Create log destination
        </DialogActions>
      </Stack>
    </form>
  );
}

/** Only the fields of the kind; the API rejects others. */
function bodyOf({ name, kind, sources, authorization, ...values }: Values) {
  const { url, region, bucket, prefix, addressing, access_key_id, secret_access_key } = values;
  const common = { name: name.trim(), kind, sources };
  if (kind === "file") return { ...common, prefix };
  if (kind === "s3") {
    const key = { access_key_id: access_key_id.trim(), secret_access_key: secret_access_key.trim() };
    return { ...common, url, region, bucket, addressing, ...key, ...(prefix !== "" && { prefix }) };
  }
  return { ...common, url, ...(authorization !== "" && { headers: { Authorization: authorization } }) };
}
