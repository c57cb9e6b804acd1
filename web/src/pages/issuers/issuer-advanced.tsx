import { Button, Collapse, Group, MultiSelect, NumberInput, Select, Stack, Switch, Textarea } from "@mantine/core";
import { useId, useState } from "react";
import type { ServerForm } from "../../components/server-form.ts";
import type { IssuerValues } from "./issuer-values.ts";

const ALGORITHMS = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
];
const BINDING = [
  { value: "default", label: "For one machine user only" },
  { value: "yes", label: "Always" },
  { value: "no", label: "Never" },
];
const FIELDS = [
  "jwks",
  "algorithms",
  "max_age_minutes",
  "access_minutes",
  "refresh",
  "refresh_hours",
  "bind_to_jwt_exp",
];

/** Keys and lifetimes, which most issuers do not need to change. Opens if one of them has an error. */
export function AdvancedFields({ form }: Pick<ServerForm<IssuerValues>, "form">) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const isShown = isOpen || FIELDS.some((field) => form.errors[field] !== undefined);
  return (
    <div>
      <Group>
        <Button
          variant="default"
          size="compact-sm"
          aria-expanded={isShown}
          aria-controls={id}
          onClick={() => setOpen(!isShown)}
        >
          {isShown ? "Hide advanced settings" : "Show advanced settings"}
        </Button>
      </Group>
      <Collapse expanded={isShown} id={id}>
        <Stack gap="md" pt="md">
          <Keys form={form} />
          <Lifetimes form={form} />
        </Stack>
      </Collapse>
    </div>
  );
}

function Keys({ form }: Pick<ServerForm<IssuerValues>, "form">) {
  return (
    <>
      <Textarea
        label="Static keys"
        description="A JSON Web Key Set with public keys, for issuers that this service cannot reach. Leave the key set URL empty"
        placeholder='{"keys": [{"kty": "RSA", "kid": "…", "n": "…", "e": "AQAB"}]}'
        autosize
        minRows={2}
        maxRows={12}
        spellCheck={false}
        {...form.getInputProps("jwks")}
      />
      <MultiSelect
        label="Algorithms"
        description="Signatures with other algorithms are refused"
        data={ALGORITHMS}
        {...form.getInputProps("algorithms")}
      />
    </>
  );
}

function Lifetimes({ form }: Pick<ServerForm<IssuerValues>, "form">) {
  return (
    <>
      <NumberInput
        label="Maximum age of exchanged tokens (minutes)"
        description="By the iat claim"
        min={1}
        max={1_440}
        {...form.getInputProps("max_age_minutes")}
      />
      <NumberInput
        label="Access tokens expire after (minutes)"
        min={1}
        max={60}
        {...form.getInputProps("access_minutes")}
      />
      <Switch
        label="Issue refresh tokens"
        description="Clients get new access tokens without another token of the issuer"
        {...form.getInputProps("refresh", { type: "checkbox" })}
      />
      {form.values.refresh && (
        <NumberInput
          label="Refresh is possible for (hours)"
          description="After the exchange"
          min={1 / 60}
          max={720}
          {...form.getInputProps("refresh_hours")}
        />
      )}
      <Select
        label="Expire with the exchanged token"
        description="Whether issued tokens end at the exp claim at the latest"
        data={form.values.bind_to_jwt_exp === "default" ? BINDING : BINDING.slice(1)}
        allowDeselect={false}
        {...form.getInputProps("bind_to_jwt_exp")}
      />
    </>
  );
}
