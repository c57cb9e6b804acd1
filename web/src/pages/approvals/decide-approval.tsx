import { Button, Group, Stack, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { notifyDone } from "../../components/notify.tsx";
import { Section } from "../../components/section.tsx";
import { type Approval, approvalsKey } from "./approvals.ts";

export function DecideApproval({ approval }: { approval: Approval }) {
  const api = useApi();
  const queries = useQueryClient();
  const [note, setNote] = useState("");
  const { id, user_email: email, tool } = approval;
  const decide = useMutation({
    mutationFn: (decision: "approve" | "deny") =>
      api.decideApproval({ path: { id }, body: { decision, note: note.trim() || null } }),
    onSuccess: (_answer, decision) =>
      notifyDone(`${decision === "approve" ? "Approved" : "Denied"} ${tool} of ${email}`),
    // After a conflict, the page shows the other decision.
    onSettled: () => queries.invalidateQueries({ queryKey: approvalsKey }),
  });
  const loading = (decision: "approve" | "deny") => decide.isPending && decide.variables === decision;
  return (
    <Section
      title="Decision"
      description={`Approving lets ${email} make this call once, with exactly these arguments.`}
    >
      <Stack gap="md" maw={560}>
        <Textarea
          label="Note"
          description={`Optional. ${email} sees it if you deny the call.`}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          maxLength={1_000}
          autosize
          minRows={2}
        />
        <ErrorNote error={decide.error} />
        <Group gap="xs">
          <Button loading={loading("approve")} disabled={decide.isPending} onClick={() => decide.mutate("approve")}>
            Approve
          </Button>
          <Button
            variant="default"
            color="red"
            loading={loading("deny")}
            disabled={decide.isPending}
            onClick={() => decide.mutate("deny")}
          >
            Deny
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}
