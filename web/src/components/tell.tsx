import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { describeFailure } from "./failure.ts";
import "./states.css";

/** For what failed at a place that has no room for an `ErrorNote`. */
export function tellFailure(error: unknown): void {
  const { title, detail, next } = describeFailure(error);
  notifications.show({ color: "red", title, message: detail ?? next });
}

const UNDO_MS = 10_000;

/** After what is better undone than confirmed: says what was done, and takes it back on request. */
export function tellUndoable(message: string, undo: () => Promise<unknown>): void {
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
            undo().catch(tellFailure);
          }}
        >
          Undo
        </Button>
      </span>
    ),
  });
}
