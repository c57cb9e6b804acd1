import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { Schemas } from "../../api/client.ts";
import { useMe } from "../../api/context.tsx";
import { CopyField } from "../../components/copy-field.tsx";
import { SecretOnce } from "../../components/secret-once.tsx";
import { curlCommand, LIST_TOOLS, type SampleRequest } from "./curl-command.ts";
import { keyVariables } from "./key-variables.ts";

export interface IssuedKey {
  readonly name: string;
  readonly slug: string;
  readonly credentials: Schemas["Credentials"];
}

interface NewAccessKeyProps {
  readonly issued: IssuedKey | null;
  readonly firstCall?: SampleRequest;
  /** Shown below the sample request, such as whether the call arrived. */
  readonly status?: ReactNode;
  onClose(): void;
}

/** Shows a new or rotated access key once, with a .env file and a sample request. */
export function NewAccessKey({ issued, firstCall = LIST_TOOLS, status, onClose }: NewAccessKeyProps) {
  const { gateway_url: gateway } = useMe();
  const key = issued?.credentials;
  const url = `${gateway}/mcp`;
  return (
    <SecretOnce
      title={`Access key for ${issued?.name ?? ""}`}
      description="MCP clients send the access key and the secret to the gateway. Save them in your secret store now."
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
            label="curl command with the access key"
            value={curlCommand(url, `${key.client_id}:${key.secret}`, firstCall.message)}
            multiline
          />
          {status}
        </div>
      )}
    </SecretOnce>
  );
}
