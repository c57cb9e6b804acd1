import { Button, Modal, PasswordInput, Group as Row, Stack, Text } from "@mantine/core";
import { useApi } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { useServerForm } from "../../components/server-form.ts";

interface ConfirmPasswordProps {
  readonly opened: boolean;
  /** What it is needed for. */
  readonly reason: string;
  onClose(): void;
  onConfirmed(): void;
}

/** Before what an open browser alone must not be enough for. It counts for five minutes. */
export function ConfirmPassword({ opened, onClose, ...rest }: ConfirmPasswordProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Confirm that it is you">
      {opened && <ConfirmForm onClose={onClose} {...rest} />}
    </Modal>
  );
}

function ConfirmForm({ reason, onClose, onConfirmed }: Omit<ConfirmPasswordProps, "opened">) {
  const api = useApi();
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: { password: "" },
    validate: ({ password }): { password?: string } => (password === "" ? { password: "Give your password" } : {}),
    submit: async ({ password }) => {
      await api.confirmMyPassword({ body: { password } });
      onConfirmed();
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <Text size="sm">{reason} For the next five minutes you will not be asked again.</Text>
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          data-autofocus
          visibilityToggleButtonProps={{ "aria-label": "Show password" }}
          {...form.getInputProps("password")}
        />
        <ErrorNote error={error} />
        <Row justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} disabled={isWorking}>
            Cancel
          </Button>
          <Button type="submit" loading={isWorking}>
            Confirm
          </Button>
        </Row>
      </Stack>
    </form>
  );
}
