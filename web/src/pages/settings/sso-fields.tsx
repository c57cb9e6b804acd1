import { PasswordInput, Select, Stack, Switch, TagsInput, Text, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useMe } from "../../api/context.tsx";
import { CopyField } from "../../components/copy-field.tsx";
import type { SignInValues } from "./sign-in-values.ts";
import { SsoPreview } from "./sso-preview.tsx";

const ROLES = [
  { value: "member", label: "Member: can use tools" },
  { value: "auditor", label: "Auditor: read-only access" },
  { value: "admin", label: "Admin: full access except sign-in settings" },
];

interface SsoFieldsProps {
  readonly form: UseFormReturnType<SignInValues>;
  readonly hasSecret: boolean;
  /** Whether a provider is stored. */
  readonly isSaved: boolean;
}

export function SsoFields({ form, hasSecret, isSaved }: SsoFieldsProps) {
  return (
    <Stack gap="md">
      <Switch
        label="Single sign-on"
        description="People sign in with your identity provider over OpenID Connect: Okta, Entra ID, Google, Keycloak, and others. Default: off."
        labelPosition="left"
        className="gh-setting-switch"
        {...form.getInputProps("sso", { type: "checkbox" })}
      />
      {form.values.sso && <ProviderFields form={form} hasSecret={hasSecret} isSaved={isSaved} />}
    </Stack>
  );
}

function ProviderFields({ form, hasSecret, isSaved }: SsoFieldsProps) {
  const { base_url: baseUrl } = useMe();
  return (
    <>
      <div>
        <Text size="sm" fw={500}>
          Redirect URL
        </Text>
        <Text size="xs" c="dimmed" mb={4}>
          Register this URL at your identity provider.
        </Text>
        <CopyField value={`${baseUrl}/sso-callback`} label="redirect URL" />
      </div>
      <TextInput
        label="Issuer"
        description="URL where the provider publishes its OpenID configuration."
        placeholder="https://idp.example.com"
        spellCheck={false}
        {...form.getInputProps("issuer")}
      />
      <TextInput
        label="Client ID"
        description="The ID of Gatehouse at the provider."
        spellCheck={false}
        {...form.getInputProps("client_id")}
      />
      <PasswordInput
        label="Client secret"
        description={hasSecret ? "Stored encrypted. Leave empty to keep it." : "Leave empty for a public client."}
        autoComplete="off"
        {...form.getInputProps("client_secret")}
      />
      <TagsInput
        label="Allowed email domains"
        description="Only people with a verified email in these domains can sign in."
        placeholder="example.com"
        {...form.getInputProps("allowed_domains")}
      />
      <Switch
        label="Create accounts on first sign-in"
        description="When off, only people with an account can sign in. Default: on."
        labelPosition="left"
        className="gh-setting-switch"
        {...form.getInputProps("auto_create", { type: "checkbox" })}
      />
      <Select
        label="Role of new accounts"
        description="Default: Member."
        data={ROLES}
        allowDeselect={false}
        {...form.getInputProps("default_role")}
      />
      <TextInput
        label="Groups claim"
        description="The claim that lists a person's groups, or its path such as realm_access.roles. Leave empty to manage groups only in Gatehouse."
        placeholder="groups"
        {...form.getInputProps("groups_claim")}
      />
      <Textarea
        label="Group mapping"
        description="One per line: claim value = group. These memberships are updated at each sign-in, except those of groups that SCIM manages."
        placeholder="eng-all = Engineering"
        autosize
        minRows={2}
        {...form.getInputProps("group_mapping")}
      />
      <Switch
        label="Remove from groups"
        description="A sign-in removes a person from mapped groups that the claim does not list. Default: on."
        labelPosition="left"
        className="gh-setting-switch"
        {...form.getInputProps("remove_from_groups", { type: "checkbox" })}
      />
      <SsoPreview form={form} isSaved={isSaved} />
    </>
  );
}
