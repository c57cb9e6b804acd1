import { Button, Checkbox, Group, Modal, Stack, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { CopyField } from "./copy-field.tsx";

export interface SecretValue {
  /** "Access key" */
  readonly label: string;
  /** Its name in the .env file: `GATEHOUSE_ACCESS_KEY`. */
  readonly variable: string;
  readonly value: string;
}

interface SecretOnceProps {
  readonly title: string;
  /** What it is good for and why it is not shown again. */
  readonly description: string;
  /** Null: closed. */
  readonly secrets: readonly SecretValue[] | null;
  /** Without extension: `nightly-report`. */
  readonly fileName: string;
  onClose(): void;
}

/** A secret that nobody will see again: it closes only when somebody says that they have it. */
export function SecretOnce({ title, description, secrets, fileName, onClose }: SecretOnceProps) {
  return (
    <Modal
      opened={secrets !== null}
      onClose={onClose}
      title={title}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      {secrets && <Secrets description={description} secrets={secrets} fileName={fileName} onClose={onClose} />}
    </Modal>
  );
}

type SecretsProps = Pick<SecretOnceProps, "description" | "fileName" | "onClose"> & {
  readonly secrets: readonly SecretValue[];
};

function Secrets({ description, secrets, fileName, onClose }: SecretsProps) {
  const [isKept, setKept] = useState(false);
  return (
    <Stack gap="md">
      <Text size="sm">{description}</Text>
      {secrets.map(({ label, value, variable }) => (
        <div key={variable}>
          <Text size="sm" fw={500} mb={4}>
            {label}
          </Text>
          <CopyField value={value} label={label.toLowerCase()} />
        </div>
      ))}
      <Checkbox
        label="I have kept it somewhere safe"
        checked={isKept}
        onChange={(event) => setKept(event.currentTarget.checked)}
      />
      <Group justify="space-between" gap="xs">
        <Button
          variant="default"
          leftSection={<IconDownload size={15} />}
          onClick={() => download(`${fileName}.env`, envText(secrets))}
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

function envText(secrets: readonly SecretValue[]): string {
  return secrets.map(({ variable, value }) => `${variable}=${value}\n`).join("");
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
