import { Button, Stack } from "@mantine/core";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Api, Schemas } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Note } from "../../components/note.tsx";
import { notifyDone, notifyFailure } from "../../components/notify.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";

const emailKey = ["email"];

function emailQuery(api: Api) {
  return queryOptions({
    queryKey: emailKey,
    queryFn: async ({ signal }) => (await api.getEmailStatus({ signal })).data,
  });
}

const TLS = { starttls: "STARTTLS", tls: "TLS", none: "Not encrypted" } as const;

/** The mail server is set with environment variables, so this section only shows and tests it. */
export function EmailSettings() {
  const query = useQuery(emailQuery(useApi()));
  const test = useSendTest();
  if (query.error && !query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const { data } = query;
  if (!data) return null;
  if (!data.enabled) {
    return (
      <Section title="Mail server">
        <Note>
          This installation has no mail server, so invitations are links to copy, and no notices are sent. The operator
          can set one with the environment variables <code>SMTP_HOST</code> and <code>SMTP_FROM</code>.
        </Note>
      </Section>
    );
  }
  return (
    <Section
      title="Mail server"
      description="Sends invitations and notices. The operator sets it with environment variables."
      actions={
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          Send test email
        </Button>
      }
    >
      <Stack gap="sm">
        <MailServerError status={data} test={test.data} />
        <KeyValues
          items={[
            ["Server", `${data.host}:${data.port}`],
            ["Encryption", data.tls === null ? undefined : TLS[data.tls]],
            ["Sender", data.from],
            ["Last email sent", <TimeAgo key="sent" time={data.last_sent_at} />],
            [
              "Failing since",
              data.failing_since === null ? undefined : <TimeAgo key="since" time={data.failing_since} />,
            ],
            ["Waiting", String(data.pending)],
            ["Failed in 30 days", String(data.failed)],
          ]}
        />
      </Stack>
    </Section>
  );
}

/** A failed test is shown instead of the last error, which usually is the same. */
function MailServerError({ status, test }: { status: Schemas["EmailStatus"]; test: Schemas["Email"] | undefined }) {
  if (test !== undefined && test.status !== "sent") {
    return (
      <div role="alert">
        <Note tone="warn">The test email was not sent. {test.error}</Note>
      </div>
    );
  }
  if (status.failing_since === null) return null;
  return <Note tone="warn">{status.last_error ?? "The mail server does not respond."}</Note>;
}

function useSendTest() {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => (await api.sendTestEmail({ body: {} })).data,
    onSuccess: ({ status, recipient }) => {
      if (status === "sent") notifyDone(`Test email sent to ${recipient}`);
    },
    onError: notifyFailure,
    onSettled: () => queries.invalidateQueries({ queryKey: emailKey }),
  });
}
