import { PasswordInput, Select, Textarea, TextInput } from "@mantine/core";
import { type DefaultProvider, PROVIDERS, providerLabel } from "./agents.ts";
import type { ProviderValues } from "./provider-values.ts";

export type ProviderField = "type" | "model" | "base_url" | "api_key" | "headers" | "script";

interface ProviderFieldsProps {
  readonly type: ProviderValues["type"];
  /** The operator's. Null: there is none. */
  readonly installed: DefaultProvider | null;
  /** Whether a key is stored already. */
  readonly hasKey?: boolean;
  /** Names of stored headers. */
  readonly headerNames?: readonly string[];
  propsOf(field: ProviderField): object;
}

/** What the built-in platform needs: the provider, the model, and the credentials. */
export function ProviderFields({ type, installed, hasKey = false, headerNames = [], propsOf }: ProviderFieldsProps) {
  const isListed = installed !== null || type === "default";
  const options = isListed ? [{ value: "default", label: "Default of this installation" }, ...PROVIDERS] : PROVIDERS;
  const select = (
    <Select
      label="Provider"
      description={type === "default" ? defaultHelp(installed) : undefined}
      data={[...options]}
      allowDeselect={false}
      {...propsOf("type")}
    />
  );
  if (type === "default")
    return (
      <>
        {select}
        <TextInput
          label="Model"
          description="Leave empty to use the default model, also if the operator changes it"
          placeholder={installed?.model}
          {...propsOf("model")}
        />
      </>
    );
  return (
    <>
      {select}
      <TextInput label="Model" description="The model's name at the provider" {...propsOf("model")} />
      {type === "scripted" ? (
        <Textarea
          label="Script"
          description="A JSON array with one entry per answer: text, or tool and arguments, or error and status. {{last_result}} is the last result"
          placeholder={'[{ "tool": "tracker__find", "arguments": { "q": "x" } }, { "text": "{{last_result}}" }]'}
          autosize
          minRows={4}
          maxRows={16}
          spellCheck={false}
          classNames={{ input: "gh-agent-code" }}
          {...propsOf("script")}
        />
      ) : (
        <>
          <TextInput
            label="URL"
            description={
              type === "openai-compatible" ? "The base URL of its API" : "Leave empty to use the provider's own URL"
            }
            placeholder="https://models.example.com/v1"
            {...propsOf("base_url")}
          />
          <PasswordInput
            label="API key"
            description={hasKey ? "A key is stored. Leave empty to keep it" : "Stored encrypted and never shown again"}
            autoComplete="off"
            {...propsOf("api_key")}
          />
          <Textarea
            label="Additional headers"
            description={headerHelp(headerNames)}
            placeholder="X-Team: platform"
            autosize
            minRows={1}
            maxRows={6}
            spellCheck={false}
            {...propsOf("headers")}
          />
        </>
      )}
    </>
  );
}

function defaultHelp(installed: DefaultProvider | null): string {
  if (!installed) return "The operator removed the default, so sessions fail. Choose a provider";
  const { type, model, base_url: url } = installed;
  return `${providerLabel(type)}${url === null ? "" : ` at ${url}`}, model ${model}. The operator sets it and its API key`;
}

function headerHelp(names: readonly string[]): string {
  if (names.length === 0) return "One per line. Values are stored encrypted and never shown again";
  return `Stored: ${names.join(", ")}. Enter a line to add or replace one, or its name without a value to remove it`;
}
