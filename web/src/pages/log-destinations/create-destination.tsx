import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { SecretOnce } from "../../components/secret-once.tsx";
import { DestinationForm } from "./destination-form.tsx";
import { bodyOf, type DestinationValues, NEW_DESTINATION } from "./destination-values.ts";
import { destinationsKey } from "./log-destinations.ts";

interface CreateDestinationProps {
  readonly opened: boolean;
  onClose(): void;
}

/** The dialog, and then the signing secret of a webhook, which is shown once. */
export function CreateDestination({ opened, onClose }: CreateDestinationProps) {
  const api = useApi();
  const queries = useQueryClient();
  const [created, setCreated] = useState<{ name: string; secret: string }>();
  const submit = async (values: DestinationValues) => {
    const { data, secret } = await api.createLogDestination({ body: { ...bodyOf(values), kind: values.kind } });
    onClose();
    if (secret !== undefined) setCreated({ name: data.name, secret });
    await queries.invalidateQueries({ queryKey: destinationsKey });
  };
  return (
    <>
      <FormDialog opened={opened} onClose={onClose} title="Create log destination" closeOnClickOutside={false}>
        {opened && (
          <DestinationForm
            initial={NEW_DESTINATION}
            action="Create log destination"
            onClose={onClose}
            submit={submit}
          />
        )}
      </FormDialog>
      <SecretOnce
        title={`Signing secret of ${created?.name ?? ""}`}
        description="Your receiver verifies with it that requests come from Gatehouse. It is stored encrypted and cannot be shown again."
        secrets={created === undefined ? null : [{ label: "Signing secret", value: created.secret }]}
        variables={{ GATEHOUSE_WEBHOOK_SECRET: created?.secret ?? "" }}
        fileName={created?.name ?? ""}
        onClose={() => setCreated(undefined)}
      />
    </>
  );
}
