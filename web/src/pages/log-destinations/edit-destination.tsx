import { useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { DestinationForm } from "./destination-form.tsx";
import { bodyOf, type DestinationValues, valuesOf } from "./destination-values.ts";
import { destinationsKey, type LogDestination } from "./log-destinations.ts";

interface EditDestinationProps {
  readonly destination: LogDestination;
  readonly opened: boolean;
  onClose(): void;
}

export function EditDestination({ destination, opened, onClose }: EditDestinationProps) {
  const api = useApi();
  const queries = useQueryClient();
  const submit = async (values: DestinationValues) => {
    await api.updateLogDestination({ query: { id: destination.id }, body: bodyOf(values) });
    onClose();
    await queries.invalidateQueries({ queryKey: destinationsKey });
  };
  return (
    <FormDialog opened={opened} onClose={onClose} title={`Edit ${destination.name}`} closeOnClickOutside={false}>
      {opened && (
        <DestinationForm
          initial={valuesOf(destination)}
          stored={destination}
          action="Save changes"
          onClose={onClose}
          submit={submit}
        />
      )}
    </FormDialog>
  );
}
