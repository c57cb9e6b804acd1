import { MultiSelect, Stack, Textarea } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { notifyDone } from "../../components/notify.tsx";
import { type CatalogServer, requestsKey } from "./requests.ts";

interface RequestDialogProps {
  /** Undefined: the dialog is closed. */
  readonly server: CatalogServer | undefined;
  onClose(): void;
}

export function RequestDialog({ server, onClose }: RequestDialogProps) {
  return (
    <FormDialog opened={server !== undefined} onClose={onClose} title={server && `Request access to ${server.name}`}>
      {server && <RequestForm server={server} onClose={onClose} />}
    </FormDialog>
  );
}

const LONGEST_REASON = 1_000;

function RequestForm({ server: { slug, name }, onClose }: { server: CatalogServer; onClose(): void }) {
  const api = useApi();
  const queries = useQueryClient();
  const [tools, setTools] = useState<string[]>([]);
  const [reason, setReason] = useState("");
  const { data } = useQuery({
    queryKey: [...requestsKey, "tools", slug],
    queryFn: async ({ signal }) => (await api.listMyCatalogTools({ query: { server: slug }, signal })).data,
  });
  const ask = useMutation({
    mutationFn: () => api.createMyRequest({ body: { server: slug, tools, reason } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: requestsKey });
      notifyDone(`Requested access to ${name}`);
      onClose();
    },
  });
  const missing = (data ?? []).filter(({ granted }) => !granted);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        ask.mutate();
      }}
    >
      <Stack gap="md">
        {missing.length > 1 && (
          <MultiSelect
            label="Tools"
            description="Leave empty to request all tools of the server."
            placeholder={tools.length === 0 ? "All tools" : ""}
            data={missing.map((tool) => tool.name)}
            value={tools}
            onChange={setTools}
            searchable
            clearable
            nothingFoundMessage="No matching tools"
          />
        )}
        <Textarea
          label="Reason"
          description="Admins see this when they decide."
          placeholder="What do you want to use it for?"
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={LONGEST_REASON}
          autosize
          minRows={3}
          maxRows={8}
          required
          data-autofocus
        />
        <ErrorNote error={ask.error} />
        <DialogActions onCancel={onClose} isWorking={ask.isPending} isDisabled={reason.trim() === ""}>
          Request access
        </DialogActions>
      </Stack>
    </form>
  );
}
