import type { Operation } from "#api/kit/operation";
import { createCommand } from "./create-command.ts";
import { deleteCommand } from "./delete-command.ts";
import { exportCommand } from "./export-command.ts";
import { getCommand } from "./get-command.ts";
import { importCommand } from "./import-command.ts";
import { listCommands } from "./list-commands.ts";
import { renderCommand } from "./render-command.ts";
import { updateCommand } from "./update-command.ts";

/** In document order. */
export const commandOperations: readonly Operation[] = [
  listCommands,
  createCommand,
  updateCommand,
  deleteCommand,
  importCommand,
  getCommand,
  renderCommand,
  exportCommand,
];
