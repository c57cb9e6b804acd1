import { Stack, Switch } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../../api/client.ts";
import { useApi, useMe } from "../../api/context.tsx";
import { notifyFailure } from "../../components/notify.tsx";
import { Section } from "../../components/section.tsx";

type Notices = Schemas["EmailNotices"];
type Kind = Exclude<keyof Notices, "mail_server">;

const key = ["my-email-notices"] as const;
const LABELS: readonly { readonly kind: Kind; readonly label: string; readonly forDeciders?: boolean }[] = [
  { kind: "approval_requested", label: "A call waits for approval", forDeciders: true },
  { kind: "access_requested", label: "Someone requests access to a server", forDeciders: true },
  { kind: "access_decided", label: "My request for access was approved or denied" },
  { kind: "connection_expired", label: "One of my connections no longer works" },
];

/** Shown only if the installation sends email. */
export function EmailNotices() {
  const api = useApi();
  const queries = useQueryClient();
  const { data: me } = useMe();
  const { data } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await api.getMyEmailNotices({ signal })).data,
  });
  const update = useMutation({
    mutationFn: async (body: Partial<Record<Kind, boolean>>) => (await api.updateMyEmailNotices({ body })).data,
    onSuccess: (saved) => queries.setQueryData(key, saved),
    onError: notifyFailure,
  });
  if (!data?.mail_server) return null;
  const decides = me.role === "owner" || me.role === "admin";
  return (
    <Section
      title="Email notices"
      description="Emails about the security of your account, such as a changed password, are always sent."
    >
      <Stack gap="sm">
        {LABELS.filter(({ forDeciders }) => decides || !forDeciders).map(({ kind, label }) => (
          <Switch
            key={kind}
            label={label}
            checked={data[kind]}
            disabled={update.isPending}
            onChange={({ currentTarget }) => update.mutate({ [kind]: currentTarget.checked })}
          />
        ))}
      </Stack>
    </Section>
  );
}
