import { Button, Group, PasswordInput, TagsInput, TextInput } from "@mantine/core";
import type { Agent } from "./agents.ts";

export type PlatformField = "url" | "secret" | "api_key" | "environment_id" | "vault_ids";

interface PlatformFieldsProps {
  readonly platform: Exclude<Agent["platform"], "builtin">;
  readonly hasKey?: boolean;
  readonly hasSecret?: boolean;
  propsOf(field: PlatformField): object;
  setSecret(secret: string): void;
}

/** What another platform needs to run sessions. */
export function PlatformFields(props: PlatformFieldsProps) {
  return props.platform === "webhook" ? <RunnerFields {...props} /> : <ManagedFields {...props} />;
}

function RunnerFields({ hasSecret = false, propsOf, setSecret }: PlatformFieldsProps) {
  return (
    <>
      <TextInput
        label="Runner URL"
        description="Gets a signed request for each session, with a gateway token that is valid for the session"
        placeholder="https://runner.example.com/sessions"
        {...propsOf("url")}
      />
      <Group align="flex-end" gap="sm" wrap="nowrap" className="gh-agent-secret">
        <PasswordInput
          label="Secret"
          description={
            hasSecret
              ? "A secret is stored. Leave empty to keep it"
              : "Signs requests in both directions. Configure the same value at the runner"
          }
          autoComplete="off"
          {...propsOf("secret")}
        />
        <Button variant="default" onClick={() => setSecret(newSecret())}>
          Generate
        </Button>
      </Group>
    </>
  );
}

function ManagedFields({ hasKey = false, propsOf }: PlatformFieldsProps) {
  return (
    <>
      <PasswordInput
        label="API key"
        description={
          hasKey
            ? "A key is stored. Leave empty to keep it"
            : "The key of your Anthropic workspace. Stored encrypted and never shown again"
        }
        autoComplete="off"
        {...propsOf("api_key")}
      />
      <TextInput
        label="Environment ID"
        description="The environment at Anthropic in which sessions run"
        placeholder="env_01…"
        {...propsOf("environment_id")}
      />
      <TagsInput
        label="Vault IDs"
        description="One of the vaults must contain a gateway credential. Press Enter after each"
        {...propsOf("vault_ids")}
      />
      <TextInput
        label="URL"
        description="Leave empty to use the URL of Anthropic"
        placeholder="https://api.anthropic.com"
        {...propsOf("url")}
      />
    </>
  );
}

/** 256 random bits. */
function newSecret(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
