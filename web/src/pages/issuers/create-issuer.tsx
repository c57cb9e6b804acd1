import { Select, Stack } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { IssuerFields } from "./issuer-form.tsx";
import { bodyOf, formField, problemsOf } from "./issuer-values.ts";
import { issuersKey } from "./issuers.ts";
import { PRESETS, type PresetName, presetValues } from "./presets.ts";

interface CreateIssuerProps {
  readonly opened: boolean;
  onClose(): void;
}

export function CreateIssuer({ opened, onClose }: CreateIssuerProps) {
  return (
    <FormDialog opened={opened} onClose={onClose} title="Add issuer" size="lg" closeOnClickOutside={false}>
      {opened && <CreateForm onClose={onClose} />}
    </FormDialog>
  );
}

function CreateForm({ onClose }: Pick<CreateIssuerProps, "onClose">) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [preset, setPreset] = useState<PresetName>("github");
  const baseUrl = new URL(document.baseURI).origin;
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: presetValues("github", baseUrl),
    fieldOf: formField,
    validate: problemsOf,
    submit: async (values) => {
      const { data } = await api.createExchangeProvider({ body: bodyOf(values) });
      await navigate({ to: "/issuers/$slug", params: { slug: data.slug }, search: { tab: "test" } });
      await queries.invalidateQueries({ queryKey: issuersKey });
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <Select
          label="Workload"
          description="Fills in the usual claims. Replace the example values"
          data={PRESETS}
          allowDeselect={false}
          value={preset}
          onChange={(value) => {
            const next = PRESETS.find((each) => each.value === value)?.value ?? "other";
            setPreset(next);
            form.setValues(presetValues(next, baseUrl));
          }}
        />
        <IssuerFields form={form} />
        <ErrorNote error={error} />
        <DialogActions onCancel={onClose} isWorking={isWorking}>
          Add issuer
        </DialogActions>
      </Stack>
    </form>
  );
}
