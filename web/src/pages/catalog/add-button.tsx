import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { notifyFailure } from "../../components/notify.tsx";
import { useAddConnector } from "./add-connector.ts";
import type { AddableConnector } from "./connectors.ts";

interface AddButtonProps {
  readonly connector: AddableConnector;
  readonly size: "xs" | "sm";
  /** Opens the dialog for values that the catalog does not define. */
  onChoose(): void;
}

/** Adds the server with one click if the catalog has all values; otherwise opens the dialog. */
export function AddButton({ connector, size, onChoose }: AddButtonProps) {
  const addConnector = useAddConnector();
  const add = useMutation({ mutationFn: () => addConnector(connector, {}), onError: notifyFailure });
  if (connector.status === "soon") {
    return (
      <Button variant="default" size={size} disabled>
        Coming soon
      </Button>
    );
  }
  const hasOneAuthType = connector.auth_types.length === 1;
  return (
    <Button
      variant={size === "xs" ? "default" : "filled"}
      size={size}
      className="gh-card-add"
      leftSection={<IconPlus size={14} aria-hidden />}
      {...(size === "xs" ? { "aria-label": `Add ${connector.name}` } : {})}
      loading={add.isPending}
      onClick={() => (hasOneAuthType ? add.mutate() : onChoose())}
    >
      {size === "xs" ? "Add" : "Add server"}
    </Button>
  );
}
