import { Button, Group, JsonInput, Stack, Text } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../../api/client.ts";
import { useApi, useMe } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { Note } from "../../components/note.tsx";
import { KeyValues } from "../../components/section.tsx";
import { readMapping } from "./group-mapping.ts";
import type { SignInValues } from "./sign-in-values.ts";

type Preview = Schemas["SsoPreview"];

const EXAMPLE =
  '{\n  "sub": "00u1",\n  "email": "ada@example.com",\n  "email_verified": true,\n  "groups": ["eng-all"]\n}';

/** Tests the saved provider with a real sign-in, and previews the mapping of the form, saved or not. */
export function SsoPreview({ form, isSaved }: { form: UseFormReturnType<SignInValues>; isSaved: boolean }) {
  const { base_url: baseUrl } = useMe();
  const canTest = isSaved && !form.isDirty();
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        Test and preview
      </Text>
      <Text size="xs" c="dimmed">
        A test signs in at your provider in a new tab, and shows the claims and what would happen. It does not sign you
        in or change anything.
      </Text>
      <div>
        <Button
          component="a"
          variant="default"
          href={`${baseUrl}/sso?test=true`}
          target="_blank"
          rel="noopener"
          {...(!canTest && { "data-disabled": true })}
          aria-disabled={!canTest}
          onClick={(event) => {
            if (!canTest) event.preventDefault();
          }}
        >
          Test sign-in
        </Button>
      </div>
      {!canTest && (
        <Text size="xs" c="dimmed">
          Save your changes to test them.
        </Text>
      )}
      {isSaved && <PreviewClaims values={form.values} />}
    </Stack>
  );
}

function PreviewClaims({ values }: { values: SignInValues }) {
  const api = useApi();
  const [text, setText] = useState(EXAMPLE);
  const claims = readClaims(text);
  const preview = useMutation({
    mutationFn: (given: Record<string, unknown>) =>
      api.previewSsoSignIn({
        body: {
          claims: given,
          groups_claim: values.groups_claim.trim() === "" ? null : values.groups_claim.trim(),
          group_mapping: readMapping(values.group_mapping) ?? {},
          remove_from_groups: values.remove_from_groups,
        },
      }),
  });
  return (
    <>
      <JsonInput
        label="Claims"
        description="Paste claims of a person to preview this group mapping before you save it."
        value={text}
        onChange={setText}
        autosize
        minRows={4}
        maxRows={12}
        {...(claims === undefined && { error: "Enter a JSON object" })}
      />
      <Group>
        <Button
          variant="default"
          loading={preview.isPending}
          disabled={claims === undefined}
          onClick={() => claims && preview.mutate(claims)}
        >
          Preview
        </Button>
      </Group>
      <ErrorNote error={preview.error} />
      <div aria-live="polite">{preview.data && <Outcome preview={preview.data.data} />}</div>
    </>
  );
}

const REASONS: Readonly<Record<string, string>> = {
  "no-verified-email": "Rejected: the claims have no verified email",
  "other-domain": "Rejected: the domain of the email is not allowed",
  unknown: "Rejected: there is no account, and accounts are not created on first sign-in",
  "different-account": "Rejected: the email belongs to a different account of the provider",
  disabled: "Rejected: the account is disabled",
};

function Outcome({ preview: { outcome, user, email, groups } }: { preview: Preview }) {
  const list = (names: readonly string[]) => (names.length === 0 ? undefined : names.join(", "));
  const accepted = user ? `Signs in as ${user.name} (${user.email})` : `Creates an account for ${email ?? ""}`;
  const reason = REASONS[outcome];
  return (
    <Stack gap="xs">
      <Note tone={reason === undefined ? "good" : "bad"}>{reason ?? accepted}</Note>
      <KeyValues
        items={[
          ["Joins", list(groups.joins) ?? "No groups"],
          ["Leaves", list(groups.leaves)],
          ["Stays in", list(groups.keeps)],
          ["Managed by SCIM, not changed", list(groups.managed_by_scim)],
          ["Values without a group", list(groups.unmapped)],
        ]}
      />
    </Stack>
  );
}

function readClaims(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    return Object.fromEntries(Object.entries(value));
  } catch {
    return undefined;
  }
}
