import { Button, Divider, Modal, PasswordInput, Group as Row, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { currentPath, withBasePath } from "../../api/base-path.ts";
import { signInUrl, useApi, useMe } from "../../api/context.tsx";
import { openPopup, usePopupOutcome } from "../../api/popup.ts";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { useServerForm } from "../../components/server-form.ts";

interface ConfirmIdentityProps {
  readonly opened: boolean;
  /** What it is needed for. */
  readonly reason: string;
  onClose(): void;
  onConfirmed(): void;
}

/** Before what an open browser alone must not be enough for. It counts for five minutes. */
export function ConfirmIdentity({ opened, onClose, ...rest }: ConfirmIdentityProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Confirm that it is you">
      {opened && <Ways onClose={onClose} {...rest} />}
    </Modal>
  );
}

type WayProps = Omit<ConfirmIdentityProps, "opened" | "reason">;

function Ways({ reason, ...way }: Omit<ConfirmIdentityProps, "opened">) {
  const { sign_in_methods: methods = [] } = useMe().data;
  const [byPassword, bySso] = [methods.includes("password"), methods.includes("sso")];
  return (
    <Stack gap="md">
      <Text size="sm">{reason} For the next five minutes you will not be asked again.</Text>
      {bySso && <BySso {...way} />}
      {bySso && byPassword && <Divider label="or" />}
      {byPassword && <ByPassword {...way} />}
      {!bySso && !byPassword && <BySigningIn {...way} />}
    </Stack>
  );
}

/** In a window of its own, so that this page stays as it is; without one, the browser comes back to this page. */
function BySso({ onClose, onConfirmed }: WayProps) {
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
          Sign in in the other window; this one goes on by itself. Has it gone? Open it again.
        </Text>
      )}
      <Row justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={start} variant={isWaiting ? "default" : "filled"} data-autofocus>
          {isWaiting ? "Open it again" : "Confirm by single sign-on"}
        </Button>
      </Row>
    </>
  );
}

function ByPassword({ onClose, onConfirmed }: WayProps) {
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

/** Whoever came by a link alone, or by a provider that is no longer there. */
function BySigningIn({ onClose }: WayProps) {
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
