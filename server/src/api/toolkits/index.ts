import type { Operation } from "#api/kit/operation";
import { addToolkitTools } from "./add-toolkit-tools.ts";
import { createToolkit } from "./create-toolkit.ts";
import { deleteToolkit } from "./delete-toolkit.ts";
import { getToolkit } from "./get-toolkit.ts";
import { listToolkits } from "./list-toolkits.ts";
import { previewToolkit } from "./preview-toolkit.ts";
import { previewUnsavedToolkit } from "./preview-unsaved-toolkit.ts";
import { removeToolkitTool } from "./remove-toolkit-tool.ts";
import { updateToolkit } from "./update-toolkit.ts";

/** In document order. */
export const toolkitOperations: readonly Operation[] = [
  listToolkits,
  createToolkit,
  updateToolkit,
  deleteToolkit,
  getToolkit,
  addToolkitTools,
  removeToolkitTool,
  previewToolkit,
  previewUnsavedToolkit,
];
