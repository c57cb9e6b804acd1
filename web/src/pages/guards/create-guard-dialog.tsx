import { SegmentedControl, Select, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { bodyOf, type CheckDraft, CheckForm, newDraft, useCheckTypes } from "./check-form.tsx";
import { actionsFor, type Guard, guardsKey } from "./guards.ts";

export function CreateGuardDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <FormDialog opened={opened} onClose={onClose} title="Create guard" size="lg" closeOnClickOutside={false}>
      {opened && <CreateGuardForm onClose={onClose} />}
    </FormDialog>
  );
}

/** A guard needs at least one check. It starts turned off, so that it can be tested first. */
function CreateGuardForm({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const [type, setType] = useState<Guard["type"]>("runtime");
  const [action, setAction] = useState<Guard["action"]>("block");
  const [draft, setDraft] = useState<CheckDraft>();
  const types = useCheckTypes(type);
  const shown = draft ?? newDraft(types.find((each) => each.type === "keyword"));
  const check = bodyOf(shown, types);
  const create = useMutation({
    mutationFn: () => api.createGuard({ body: { name: name.trim(), type, action, checks: check ? [check] : [] } }),
    onSuccess: async ({ data }) => {
      await queries.invalidateQueries({ queryKey: [...guardsKey, "list"] });
      await navigate({ to: "/guards/$slug", params: { slug: data.slug }, search: { tab: "test" } });
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate();
      }}
    >
      <Stack gap="md">
        <TextInput
          label="Guard name"
          placeholder="Ticket numbers"
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <SegmentedControl
          aria-label="Examines"
          data={[
            { value: "runtime", label: "Calls" },
            { value: "buildtime", label: "Content sent to the API" },
          ]}
          value={type}
          onChange={(value) => {
            setType(value === "buildtime" ? "buildtime" : "runtime");
            if (value === "buildtime" && (action === "redact" || action === "require_approval")) setAction("block");
          }}
        />
        <Select
          label="Action"
          data={actionsFor(type)}
          value={action}
          allowDeselect={false}
          onChange={(value) => setAction((value ?? "block") as Guard["action"])}
        />
        <CheckForm types={types} draft={shown} onChange={setDraft} />
        <ErrorNote error={create.error} />
        <DialogActions
          onCancel={onClose}
          isWorking={create.isPending}
          isDisabled={name.trim() === "" || check === undefined}
        >
          Create guard
        </DialogActions>
      </Stack>
    </form>
  );
}
