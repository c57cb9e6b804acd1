import { Text } from "@mantine/core";
import type { Schemas } from "../../api/client.ts";
import { useMe } from "../../api/context.tsx";
import { CopyField } from "../../components/copy-field.tsx";
import { SecretOnce } from "../../components/secret-once.tsx";
import { curlCommand, LIST_TOOLS, type TriedCall } from "./curl-command.ts";
import { KEY_VARIABLE, keyVariables } from "./key-variables.ts";

export interface IssuedKey {
  readonly name: string;
  readonly slug: string;
  readonly credentials: Schemas["Credentials"];
}

interface KeyOnceProps {
  readonly issued: IssuedKey | null;
  readonly firstCall?: TriedCall;
  onClose(): void;
}

/** After a key was made or rotated: both halves, the file that programs read, and a call to try them with. */
export function KeyOnce({ issued, firstCall = LIST_TOOLS, onClose }: KeyOnceProps) {
  const { gateway_url: gateway } = useMe();
  const key = issued?.credentials;
  const url = `${gateway}/mcp`;
  return (
    <SecretOnce
      title={`Key of ${issued?.name ?? ""}`}
      description="Programs send both halves to the gateway. Keep the secret in your secret store now: it is not shown like this again."
      secrets={
        key
          ? [
              { label: "Access key", value: key.client_id },
              { label: "Secret", value: key.secret },
            ]
          : null
      }
      variables={key ? keyVariables(gateway, key) : {}}
      fileName={issued?.slug ?? "machine-user"}
      onClose={onClose}
    >
      {key && (
        <div>
          <Text size="sm" fw={500} mb={4}>
            {firstCall.title}
          </Text>
          <CopyField
            label="curl command with the key"
            value={curlCommand(url, `${key.client_id}:${key.secret}`, firstCall.message)}
            masked={curlCommand(url, KEY_VARIABLE, firstCall.message)}
            multiline
          />
        </div>
      )}
    </SecretOnce>
  );
}
