import {
  ActionIcon,
  Button,
  Group,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
} from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { useRights } from "../../api/context.tsx";
import { Note } from "../../components/note.tsx";
import type { ServerForm } from "../../components/server-form.ts";
import { AdvancedFields } from "./issuer-advanced.tsx";
import { ProvisionFields } from "./issuer-provision.tsx";
import type { IssuerValues } from "./issuer-values.ts";
import { useCanTrust } from "./owners-only.tsx";
import "./issuers.css";

const OPERATORS = [
  { value: "equals", label: "equals" },
  { value: "not_equals", label: "does not equal" },
  { value: "in", label: "is one of" },
  { value: "matches", label: "matches" },
  { value: "exists", label: "exists" },
];
const MATCHES = [
  { value: "email", label: "Email of a person" },
  { value: "external_id", label: "External ID of a user" },
  { value: "slug", label: "Slug of a machine user" },
];

/** The fields of an issuer, for the dialog and the settings. */
export function IssuerFields({ form }: Pick<ServerForm<IssuerValues>, "form">) {
  const { values } = form;
  return (
    <>
      <TextInput label="Name" data-autofocus {...form.getInputProps("name")} />
      <TextInput
        label="Issuer"
        description="The iss claim of its tokens, compared exactly"
        {...form.getInputProps("issuer")}
      />
      <TagsInput
        label="Audiences"
        description="The aud claim must contain one of these. Press Enter after each"
        {...form.getInputProps("audiences")}
      />
      <TextInput
        label="Key set URL"
        description="Leave empty to find it by discovery"
        {...form.getInputProps("jwks_uri")}
      />
      <Conditions form={form} />
      <div>
        <Text size="sm" fw={500} mb={4} id="issuer-acts-as">
          Tokens act as
        </Text>
        <SegmentedControl
          aria-labelledby="issuer-acts-as"
          data={[
            { value: "fixed", label: "One machine user" },
            { value: "map", label: "The user in a claim" },
          ]}
          {...form.getInputProps("mode")}
        />
      </div>
      {values.mode === "fixed" ? (
        <TextInput
          label="Machine user"
          description="The email of the machine user"
          {...form.getInputProps("machine_user")}
        />
      ) : (
        <Mapping form={form} />
      )}
      <Switch
        label="Require an API token for the exchange"
        description="Turn this off for workloads that have only the issuer's token"
        {...form.getInputProps("require_api_key", { type: "checkbox" })}
      />
      <Switch
        label="Accept each token once"
        description="Tokens need a jti claim"
        {...form.getInputProps("one_time_jti", { type: "checkbox" })}
      />
      <AdvancedFields form={form} />
    </>
  );
}

function Mapping({ form }: Pick<ServerForm<IssuerValues>, "form">) {
  const { match } = form.values;
  const { changes } = useRights();
  const canTrust = useCanTrust()(form.values);
  return (
    <>
      {changes && !canTrust && <Note tone="warn">Only an owner can trust an issuer whose tokens act as people.</Note>}
      <TextInput
        label="Claim"
        description="Leave empty for the first of email, sub, and client_id"
        {...form.getInputProps("claim")}
      />
      <Select label="The claim contains" data={MATCHES} allowDeselect={false} {...form.getInputProps("match")} />
      {match === "email" && (
        <Switch
          label="Require a verified email"
          description="email_verified must be true"
          {...form.getInputProps("require_verified_email", { type: "checkbox" })}
        />
      )}
      <Switch
        label="Allow owners and admins"
        description="Otherwise, tokens that name an owner or admin are refused"
        {...form.getInputProps("allow_admins", { type: "checkbox" })}
      />
      {match !== "slug" && <ProvisionFields form={form} />}
      <Switch
        label="Pass tokens on to servers"
        description="Stores the exchanged token, encrypted, for servers with the authentication “Exchanged token”"
        {...form.getInputProps("passthrough", { type: "checkbox" })}
      />
    </>
  );
}

function Conditions({ form }: Pick<ServerForm<IssuerValues>, "form">) {
  const { changes } = useRights();
  const { conditions } = form.values;
  const add = () =>
    form.insertListItem("conditions", { key: crypto.randomUUID(), claim: "", operator: "equals", value: "" });
  return (
    <Stack gap="xs" role="group" aria-label="Conditions">
      <div>
        <Text size="sm" fw={500}>
          Conditions
        </Text>
        <Text size="xs" c="dimmed">
          All must hold. In patterns, * matches any characters. Write names that contain dots with &gt; in between:
          kubernetes.io &gt; namespace
        </Text>
      </div>
      {conditions.map(({ key, operator }, at) => (
        <div className="gh-issuer-condition" key={key}>
          <TextInput
            className="gh-issuer-claim"
            aria-label={`Claim of condition ${at + 1}`}
            placeholder="Claim"
            {...form.getInputProps(`conditions.${at}.claim`)}
          />
          <Select
            className="gh-issuer-operator"
            aria-label={`Operator of condition ${at + 1}`}
            data={OPERATORS}
            allowDeselect={false}
            {...form.getInputProps(`conditions.${at}.operator`)}
          />
          <TextInput
            className="gh-issuer-value"
            aria-label={`Value of condition ${at + 1}`}
            placeholder={operator === "in" ? "one, two" : operator === "exists" ? "true" : "Value"}
            {...form.getInputProps(`conditions.${at}.value`)}
          />
          {changes && (
            <ActionIcon
              className="gh-issuer-remove"
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={`Remove condition ${at + 1}`}
              onClick={() => form.removeListItem("conditions", at)}
            >
              <IconX size={16} />
            </ActionIcon>
          )}
        </div>
      ))}
      {changes && (
        <Group>
          <Button variant="default" size="compact-sm" leftSection={<IconPlus size={14} />} onClick={add}>
            Add condition
          </Button>
        </Group>
      )}
    </Stack>
  );
}
