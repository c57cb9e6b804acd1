import { Button, PasswordInput, Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { useServerForm } from "../../components/server-form.ts";

const EMPTY = { current_password: "", new_password: "" };

export function ChangePassword({ email }: { email: string }) {
  const api = useApi();
  const queries = useQueryClient();
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: EMPTY,
    validate: (values) => ({
      ...(values.current_password === "" ? { current_password: "Enter your current password" } : {}),
      ...(values.new_password === "" ? { new_password: "Enter a new password" } : {}),
    }),
    submit: async (body) => {
      await api.changeMyPassword({ body });
      form.reset();
      notifications.show({ message: "Password changed" });
      await queries.invalidateQueries({ queryKey: ["my-sessions"] });
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      {/* For password managers. */}
      <input type="hidden" name="email" value={email} autoComplete="username" />
      <Stack gap="sm" maw="24rem">
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          {...form.getInputProps("current_password")}
        />
        <PasswordInput
          label="New password"
          description="At least 12 characters and hard to guess"
          autoComplete="new-password"
          {...form.getInputProps("new_password")}
        />
        <ErrorNote error={error} />
        <div>
          <Button type="submit" loading={isWorking}>
            Change password
          </Button>
        </div>
      </Stack>
    </form>
  );
}
