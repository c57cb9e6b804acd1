import { Checkbox, Select, Stack, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { SecretOnce, type SecretValue } from "../../components/secret-once.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { apiTokensKey, SCOPES, type Scope } from "./api-tokens.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const LIFETIMES = [
  { value: "30", label: "After 30 days" },
  { value: "90", label: "After 90 days" },
  { value: "365", label: "After 1 year" },
  { value: "never", label: "Never" },
];

interface TokenValues {
  readonly name: string;
  readonly scopes: Scope[];
  readonly lifetime: string;
}

const EMPTY: TokenValues = { name: "", scopes: ["admin:read"], lifetime: "90" };

interface CreateTokenProps {
  readonly opened: boolean;
  /** The values that the form starts with. */
  readonly initial?: TokenValues;
  onClose(): void;
}

export function CreateToken({ opened, onClose, initial = EMPTY }: CreateTokenProps) {
  const [created, setCreated] = useState<{ name: string; secrets: readonly SecretValue[] }>();
  return (
    <>
      <FormDialog opened={opened && !created} onClose={onClose} title="Create API token" closeOnClickOutside={false}>
        {opened && (
          <TokenForm
            initial={initial}
            onClose={onClose}
            onCreated={(name, token) => setCreated({ name, secrets: [{ label: "Token", value: token }] })}
          />
        )}
      </FormDialog>
      <SecretOnce
        title={`API token ${created?.name ?? ""}`}
        description="Send it in the header Authorization: Bearer. Only a hash is stored, so the token cannot be shown again."
        secrets={created?.secrets ?? null}
        variables={{ GATEHOUSE_TOKEN: created?.secrets[0]?.value ?? "" }}
        fileName={created?.name ?? "token"}
        onClose={() => {
          setCreated(undefined);
          onClose();
        }}
      />
    </>
  );
}

interface TokenFormProps {
  readonly initial: TokenValues;
  onClose(): void;
  onCreated(name: string, token: string): void;
}

function TokenForm({ initial, onClose, onCreated }: TokenFormProps) {
  const api = useApi();
  const queries = useQueryClient();
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: { ...initial },
    fieldOf: (field) => (field === "expires_at" ? "lifetime" : field.replace(/\..*/, "")),
    validate: ({ name, scopes }) => ({
      ...(name.trim() === "" ? { name: "Enter a name" } : {}),
      ...(scopes.length === 0 ? { scopes: "Select at least one scope" } : {}),
    }),
    submit: async ({ name, scopes, lifetime }) => {
      const expiresAt = lifetime === "never" ? null : new Date(Date.now() + Number(lifetime) * DAY_MS).toISOString();
      const { data, token } = await api.createApiToken({ body: { name: name.trim(), scopes, expires_at: expiresAt } });
      onCreated(data.name, token ?? "");
      await queries.invalidateQueries({ queryKey: apiTokensKey });
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <TextInput label="Name" placeholder="Nightly report" data-autofocus {...form.getInputProps("name")} />
        <Checkbox.Group label="Scopes" {...form.getInputProps("scopes")}>
          <Stack gap={6} mt={6}>
            {SCOPES.map(({ value, label, description }) => (
              <Checkbox key={value} value={value} label={label} description={description} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Select label="Expires" data={LIFETIMES} allowDeselect={false} {...form.getInputProps("lifetime")} />
        <ErrorNote error={error} />
        <DialogActions onCancel={onClose} isWorking={isWorking}>
          Create token
        </DialogActions>
      </Stack>
    </form>
  );
}
