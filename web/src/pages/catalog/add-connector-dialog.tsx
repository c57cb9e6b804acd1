import { Radio, Stack, TextInput } from "@mantine/core";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { AUTH_CHOICES } from "../mcp-servers/choices.ts";
import { useAddConnector } from "./add-connector.ts";
import type { AddableConnector } from "./connectors.ts";

interface AddConnectorDialogProps {
  /** Undefined: closed. */
  readonly connector: AddableConnector | undefined;
  onClose(): void;
}

export function AddConnectorDialog({ connector, onClose }: AddConnectorDialogProps) {
  return (
    <FormDialog opened={connector !== undefined} onClose={onClose} title={`Add ${connector?.name ?? ""}`}>
      {connector && <AddConnectorForm key={connector.id} connector={connector} onClose={onClose} />}
    </FormDialog>
  );
}

/** Asks only for values that the catalog does not define. */
function AddConnectorForm({ connector, onClose }: { connector: AddableConnector; onClose: () => void }) {
  const addConnector = useAddConnector();
  const known = connector.auth_types;
  const choices = AUTH_CHOICES.filter(({ value }) => known.length === 0 || known.includes(value));
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: { name: connector.name, authType: known[0] ?? "none" },
    fieldOf: (field) => (field === "auth_settings" ? "authType" : field),
    submit: ({ name, authType }) =>
      addConnector(connector, { name: name.trim(), ...(known.length === 1 ? {} : { authType }) }),
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <TextInput label="Name" {...form.getInputProps("name")} />
        {choices.length > 1 && (
          <Radio.Group
            label="Authentication"
            description={known.length === 0 ? "Unknown for this connector. You can change it later." : undefined}
            {...form.getInputProps("authType")}
          >
            <Stack gap="xs" mt="xs">
              {choices.map(({ value, label }) => (
                <Radio key={value} value={value} label={label} />
              ))}
            </Stack>
          </Radio.Group>
        )}
        <ErrorNote error={error} />
        <DialogActions onCancel={onClose} isWorking={isWorking} hasFocus>
          Add server
        </DialogActions>
      </Stack>
    </form>
  );
}
