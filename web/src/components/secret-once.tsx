import { Button, Checkbox, Group, Modal, Stack, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { CopyField } from "./copy-field.tsx";
import { envText } from "./env-text.ts";

export interface SecretValue {
  /** "Access key" */
  readonly label: string;
  readonly value: string;
}

interface SecretOnceProps {
  readonly title: string;
  /** What the secret is for, and that it is shown only once. */
  readonly description: string;
  /** Null: the dialog is closed. */
  readonly secrets: readonly SecretValue[] | null;
  /** The content of the .env file. */
  readonly variables: Readonly<Record<string, string>>;
  /** Without extension: `nightly-report`. */
  readonly fileName: string;
  /** The next step, such as a first call. */
  readonly children?: ReactNode;
  onClose(): void;
}

/** Shows a secret once. Closes only after the user confirms that it is stored. */
export function SecretOnce({ title, secrets, ...rest }: SecretOnceProps) {
  return (
    <Modal
      opened={secrets !== null}
      onClose={rest.onClose}
      title={title}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      {secrets && <Secrets secrets={secrets} {...rest} />}
    </Modal>
  );
}

type SecretsProps = Omit<SecretOnceProps, "title" | "secrets"> & {
  readonly secrets: readonly SecretValue[];
};

function Secrets({ description, secrets, variables, fileName, children, onClose }: SecretsProps) {
  const [isKept, setKept] = useState(false);
  return (
    <Stack gap="md">
      <Text size="sm">{description}</Text>
      {secrets.map(({ label, value }) => (
        <div key={label}>
          <Text size="sm" fw={500} mb={4}>
            {label}
          </Text>
          <CopyField value={value} label={label.toLowerCase()} />
        </div>
      ))}
      {children}
      <Checkbox
        label="I have stored it in a safe place"
        checked={isKept}
        onChange={(event) => setKept(event.currentTarget.checked)}
      />
      <Group justify="space-between" gap="xs">
        <Button
          variant="default"
          leftSection={<IconDownload size={15} />}
          onClick={() => download(`${fileName}.env`, envText(variables))}
        >
          Download .env
        </Button>
        <Button onClick={onClose} disabled={!isKept}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
