import {
  Button,
  Group,
  PasswordInput,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useState } from "react";
import { useMe } from "../../api/context.tsx";
import { ConfirmByName } from "../../components/confirm-by-name.tsx";
import { CopyField } from "../../components/copy-field.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { useServerForm } from "../../components/server-form.ts";
import "./settings.css";
import { mappingText, readMapping } from "./group-mapping.ts";
import { useSaveSettings } from "./number-settings.tsx";
import type { Settings } from "./settings.ts";

const ROLES = [
  { value: "member", label: "Member: can use tools" },
  { value: "auditor", label: "Auditor: read-only access" },
  { value: "admin", label: "Admin: full access except sign-in settings" },
] as const;

export function SsoForm({ sso, isOwner }: { sso: Settings["sso"]; isOwner: boolean }) {
  const { base_url: baseUrl } = useMe();
  const [isRemoving, setRemoving] = useState(false);
  const { form, onSubmit, isWorking, error } = useSsoForm(sso);
  const remove = useSaveSettings(() => setRemoving(false));
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="sm" maw={520}>
        <div>
          <Text size="sm" fw={500} mb={4}>
            Redirect URL
          </Text>
          <CopyField value={`${baseUrl}/sso-callback`} label="redirect URL" />
        </div>
        <fieldset className="gh-plain-fieldset" disabled={!isOwner}>
          <Stack gap="sm">
            <TextInput
              label="Issuer"
              placeholder="https://idp.example.com"
              spellCheck={false}
              {...form.getInputProps("issuer")}
            />
            <TextInput label="Client ID" spellCheck={false} {...form.getInputProps("client_id")} />
            <PasswordInput
              label="Client secret"
              description={
                sso?.has_client_secret
                  ? "Stored encrypted. Leave empty to keep it."
                  : "Leave empty for a public client."
              }
              autoComplete="off"
              {...form.getInputProps("client_secret")}
            />
            <TagsInput
              label="Allowed email domains"
              placeholder="example.com"
              {...form.getInputProps("allowed_domains")}
            />
            <Switch
              label="Create accounts on first sign-in"
              {...form.getInputProps("auto_create", { type: "checkbox" })}
            />
            <Select
              label="Role of new accounts"
              data={ROLES.map((role) => ({ ...role }))}
              allowDeselect={false}
              {...form.getInputProps("default_role")}
            />
            <TextInput
              label="Groups claim"
              description="Leave empty to manage groups only in Gatehouse."
              placeholder="groups"
              {...form.getInputProps("groups_claim")}
            />
            <Textarea
              label="Group mapping"
              description="One per line: claim value = group. These memberships are updated at each sign-in."
              placeholder="eng-all = Engineering"
              autosize
              minRows={2}
              {...form.getInputProps("group_mapping")}
            />
          </Stack>
        </fieldset>
        <ErrorNote error={error} />
        {isOwner && (
          <Group justify="space-between">
            <Button type="submit" loading={isWorking} disabled={!form.isDirty()}>
              {sso === null ? "Turn on" : "Save"}
            </Button>
            {sso !== null && (
              <Button variant="subtle" color="red" onClick={() => setRemoving(true)}>
                Remove…
              </Button>
            )}
          </Group>
        )}
      </Stack>
      <ConfirmByName
        opened={isRemoving}
        title="Remove single sign-on?"
        name="remove"
        action="Remove single sign-on"
        isWorking={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ sso: null })}
        onClose={() => setRemoving(false)}
      >
        People can no longer sign in with {sso?.issuer}. People without a password need a new invitation.
      </ConfirmByName>
    </form>
  );
}

function useSsoForm(sso: Settings["sso"]) {
  const save = useSaveSettings();
  const kept = {
    issuer: sso?.issuer ?? "",
    client_id: sso?.client_id ?? "",
    client_secret: "",
    allowed_domains: [...(sso?.allowed_domains ?? [])],
    groups_claim: sso?.groups_claim ?? "",
    group_mapping: mappingText(sso?.group_mapping ?? {}),
    default_role: sso?.default_role ?? "member",
    auto_create: sso?.auto_create ?? true,
  };
  const serverForm = useServerForm({
    initial: kept,
    fieldOf: (field) => field.replace(/^sso\.([^.]*).*/, "$1"),
    validate: ({ group_mapping: text }) =>
      readMapping(text) ? {} : { group_mapping: "Enter each line as value = group" },
    submit: async ({ client_secret: secret, groups_claim: claim, group_mapping: text, ...rest }) => {
      const mapping = readMapping(text) ?? {};
      const optional = { groups_claim: claim.trim() === "" ? null : claim.trim(), group_mapping: mapping };
      await save.mutateAsync({ sso: { ...rest, ...optional, ...(secret === "" ? {} : { client_secret: secret }) } });
      serverForm.form.resetDirty();
      serverForm.form.setFieldValue("client_secret", "");
    },
  });
  return serverForm;
}
