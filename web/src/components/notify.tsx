import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { describeFailure } from "./failure.ts";
import "./states.css";

/** Shows a failed action as a toast, where there is no room for an `ErrorNote`. */
export function notifyFailure(error: unknown): void {
  const { title, detail, next } = describeFailure(error);
  notifications.show({ color: "red", title, message: detail ?? next });
}

const UNDO_MS = 10_000;

/** Reports a completed action in a toast with an Undo button. */
export function notifyWithUndo(message: string, undo: () => Promise<unknown>): void {
  const id = notifications.show({
    autoClose: UNDO_MS,
    message: (
      <span className="gh-undo">
        <span>{message}</span>
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => {
            notifications.hide(id);
            undo().catch(notifyFailure);
          }}
        >
          Undo
        </Button>
      </span>
    ),
  });
}

/** Reports a completed action that the page does not show otherwise. */
export function notifyDone(message = "Saved"): void {
  notifications.show({ message });
}
