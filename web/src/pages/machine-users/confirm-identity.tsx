import { Button, Divider, PasswordInput, Group as Row, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { currentPath, withBasePath } from "../../api/base-path.ts";
import { signInUrl, useApi, useMe } from "../../api/context.tsx";
import { openPopup, usePopupOutcome } from "../../api/popup.ts";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { useServerForm } from "../../components/server-form.ts";

interface ConfirmIdentityProps {
  readonly opened: boolean;
  /** Why confirmation is required. */
  readonly reason: string;
  onClose(): void;
  onConfirmed(): void;
}

/** Asks users to authenticate again before a sensitive action. The confirmation lasts five minutes. */
export function ConfirmIdentity({ opened, onClose, ...rest }: ConfirmIdentityProps) {
  return (
    <FormDialog opened={opened} onClose={onClose} title="Confirm your identity">
      {opened && <Methods onClose={onClose} {...rest} />}
    </FormDialog>
  );
}

type MethodProps = Omit<ConfirmIdentityProps, "opened" | "reason">;

function Methods({ reason, ...method }: Omit<ConfirmIdentityProps, "opened">) {
  const { sign_in_methods: methods = [] } = useMe().data;
  const [byPassword, bySso] = [methods.includes("password"), methods.includes("sso")];
  return (
    <Stack gap="md">
      <Text size="sm">{reason} The confirmation is valid for 5 minutes.</Text>
      {bySso && <BySso {...method} />}
      {bySso && byPassword && <Divider label="or" />}
      {byPassword && <ByPassword {...method} />}
      {!bySso && !byPassword && <BySigningIn {...method} />}
    </Stack>
  );
}

/** Opens a popup to keep this page's state. If popups are blocked, the browser returns to this page. */
function BySso({ onClose, onConfirmed }: MethodProps) {
  const [isWaiting, setWaiting] = useState(false);
  usePopupOutcome((outcome) => {
    if (outcome === "confirmed") onConfirmed();
  });
  const start = () => {
    const query = { confirm: "true", return_to: currentPath() };
    const here = `${withBasePath("/sso")}?${new URLSearchParams(query)}`;
    setWaiting(openPopup({ popup: `${here}&view=popup`, here }) === "popup");
  };
  return (
    <>
      {isWaiting && (
        <Text size="sm" c="dimmed" role="status">
          Sign in in the other window. This page continues automatically.
        </Text>
      )}
      <Row justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={start} variant={isWaiting ? "default" : "filled"} data-autofocus>
          {isWaiting ? "Open window again" : "Confirm with single sign-on"}
        </Button>
      </Row>
    </>
  );
}

function ByPassword({ onClose, onConfirmed }: MethodProps) {
  const api = useApi();
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: { password: "" },
    validate: ({ password }): { password?: string } => (password === "" ? { password: "Enter your password" } : {}),
    submit: async ({ password }) => {
      await api.confirmMyPassword({ body: { password } });
      onConfirmed();
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          data-autofocus
          visibilityToggleButtonProps={{ "aria-label": "Show password" }}
          {...form.getInputProps("password")}
        />
        <ErrorNote error={error} />
        <DialogActions onCancel={onClose} isWorking={isWorking}>
          Confirm
        </DialogActions>
      </Stack>
    </form>
  );
}

/** For users without a password or identity provider, such as after an invitation. */
function BySigningIn({ onClose }: MethodProps) {
  return (
    <Row justify="flex-end" gap="xs">
      <Button variant="default" onClick={onClose}>
        Cancel
      </Button>
      <Button component="a" href={signInUrl()}>
        Sign in again
      </Button>
    </Row>
  );
}
