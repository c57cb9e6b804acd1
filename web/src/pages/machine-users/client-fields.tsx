import { Text, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import "./machine-users.css";

/** The form values of a machine user's OAuth client. */
export interface TypedClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly tokenUrl: string;
}

export const NO_CLIENT: TypedClient = { clientId: "", clientSecret: "", tokenUrl: "" };

export const CLIENT_DESCRIPTION =
  "For servers with OAuth per user. The machine user requests its own tokens with the client credentials grant from servers whose token URL has the same origin.";

interface ClientFieldsProps {
  inputProps(field: keyof TypedClient): object;
  readonly children?: ReactNode;
}

export function ClientFields({ inputProps, children }: ClientFieldsProps) {
  return (
    <fieldset className="gh-legend-fieldset">
      <legend>OAuth client</legend>
      <Text size="xs" c="dimmed">
        {children ?? CLIENT_DESCRIPTION}
      </Text>
      <TextInput label="Client ID" spellCheck={false} autoComplete="off" {...inputProps("clientId")} />
      <TextInput
        label="Client secret"
        type="password"
        autoComplete="new-password"
        description="Stored encrypted and never shown again."
        {...inputProps("clientSecret")}
      />
      <TextInput
        label="Token URL"
        placeholder="https://login.example.com/oauth/token"
        inputMode="url"
        spellCheck={false}
        {...inputProps("tokenUrl")}
      />
    </fieldset>
  );
}

export function trimmed({ clientId, clientSecret, tokenUrl }: TypedClient): TypedClient {
  return { clientId: clientId.trim(), clientSecret: clientSecret.trim(), tokenUrl: tokenUrl.trim() };
}
