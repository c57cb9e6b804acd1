import { Button, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconHistory } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { destinationsKey, type LogDestination } from "./log-destinations.ts";

export function RewindDestination({ destination }: { destination: LogDestination }) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" leftSection={<IconHistory size={16} />} onClick={open}>
        Send again…
      </Button>
      <FormDialog opened={opened} onClose={close} title={`Send records to ${destination.name} again`}>
        {opened && <RewindForm id={destination.id} onClose={close} />}
      </FormDialog>
    </>
  );
}

function RewindForm({ id, onClose }: { id: string; onClose(): void }) {
  const api = useApi();
  const queries = useQueryClient();
  const { form, onSubmit, isWorking, error } = useServerForm<{ to: string }>({
    initial: { to: "" },
    validate: ({ to }) => (Number.isNaN(Date.parse(to)) ? { to: "Enter a date and time" } : {}),
    async submit({ to }) {
      await api.rewindLogDestination({ path: { id }, body: { to: new Date(to).toISOString() } });
      await queries.invalidateQueries({ queryKey: destinationsKey });
      onClose();
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <Text size="sm">The receiver gets all records since this time again, with the same IDs.</Text>
        <TextInput label="Since" type="datetime-local" data-autofocus {...form.getInputProps("to")} />
        <ErrorNote error={error} />
        <DialogActions onCancel={onClose} isWorking={isWorking}>
          Send again
        </DialogActions>
      </Stack>
    </form>
  );
}
