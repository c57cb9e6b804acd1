import { SegmentedControl } from "@mantine/core";
import { FormDialog } from "../../components/form-dialog.tsx";
import { AddByUrl } from "./add-by-url.tsx";
import { AddFromJson } from "./add-from-json.tsx";

type How = "url" | "json";

interface AddServerDialogProps {
  /** Undefined: closed. */
  readonly how: How | undefined;
  onSwitch(how: How): void;
  onClose(): void;
}

export function AddServerDialog({ how, onSwitch, onClose }: AddServerDialogProps) {
  return (
    <FormDialog
      opened={how !== undefined}
      onClose={onClose}
      title="Add MCP server"
      size="lg"
      closeOnClickOutside={false}
    >
      {how !== undefined && (
        <>
          <SegmentedControl
            fullWidth
            size="sm"
            mb="md"
            aria-label="Source"
            data={[
              { value: "url", label: "From URL" },
              { value: "json", label: "From mcp.json" },
            ]}
            value={how}
            onChange={(chosen) => onSwitch(chosen === "json" ? "json" : "url")}
          />
          {how === "url" ? <AddByUrl onClose={onClose} /> : <AddFromJson onClose={onClose} />}
        </>
      )}
    </FormDialog>
  );
}
