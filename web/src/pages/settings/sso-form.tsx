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
  { value: "member", label: "Member: uses tools" },
  { value: "auditor", label: "Auditor: sees everything, changes nothing" },
  { value: "admin", label: "Admin: changes everything but sign-in" },
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
            Redirect address to register there
          </Text>
          <CopyField value={`${baseUrl}/sso-callback`} label="redirect address" />
        </div>
        <fieldset className="gh-plain-fieldset" disabled={!isOwner}>
          <Stack gap="sm">
            <TextInput
              label="Issuer"
              placeholder="https://idp.example.com"
              spellCheck={false}
              {...form.getInputProps("issuer")}
            />
            <TextInput label="Client id" spellCheck={false} {...form.getInputProps("client_id")} />
            <PasswordInput
              label="Client secret"
              description={
                sso?.has_client_secret
                  ? "One is kept, sealed. Leave empty to keep it."
                  : "Leave empty for a public client."
              }
              autoComplete="off"
              {...form.getInputProps("client_secret")}
            />
            <TagsInput
              label="Domains whose people may sign in"
              placeholder="example.com"
              {...form.getInputProps("allowed_domains")}
            />
            <Switch
              label="Make people who are unknown here when they sign in"
              {...form.getInputProps("auto_create", { type: "checkbox" })}
            />
            <Select
              label="Their role"
              data={ROLES.map((role) => ({ ...role }))}
              allowDeselect={false}
              {...form.getInputProps("default_role")}
            />
            <TextInput
              label="Claim that lists groups"
              description="Left empty: groups are managed here alone."
              placeholder="groups"
              {...form.getInputProps("groups_claim")}
            />
            <Textarea
              label="Groups from that claim"
              description="One per line: value there = group here. These memberships follow each sign-in."
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
              {sso === null ? "Switch on" : "Save"}
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
        action="Remove"
        isWorking={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ sso: null })}
        onClose={() => setRemoving(false)}
      >
        Nobody can sign in through {sso?.issuer} any more. People without a password need an invitation to come back.
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
      readMapping(text) ? {} : { group_mapping: "Write each line as value = group" },
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
