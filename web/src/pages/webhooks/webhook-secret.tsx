import { SecretOnce } from "../../components/secret-once.tsx";

interface WebhookSecretProps {
  readonly name: string;
  /** Undefined: the dialog is closed. */
  readonly secret: string | undefined;
  onClose(): void;
}

export function WebhookSecret({ name, secret, onClose }: WebhookSecretProps) {
  return (
    <SecretOnce
      title={`Signing secret of ${name}`}
      description="Your receiver verifies with it that requests come from Gatehouse. It is stored encrypted and cannot be shown again."
      secrets={secret === undefined ? null : [{ label: "Signing secret", value: secret }]}
      variables={{ GATEHOUSE_WEBHOOK_SECRET: secret ?? "" }}
      fileName={name}
      onClose={onClose}
    />
  );
}
