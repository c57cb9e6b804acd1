import type { Operation } from "#api/kit/operation";
import { createLogDestination } from "./create-log-destination.ts";
import { deleteLogDestination } from "./delete-log-destination.ts";
import { getLogDestination } from "./get-log-destination.ts";
import { listLogDestinations } from "./list-log-destinations.ts";
import { rewindLogDestination } from "./rewind-log-destination.ts";
import { testLogDestination } from "./test-log-destination.ts";
import { updateLogDestination } from "./update-log-destination.ts";

/** In document order. */
export const logDestinationOperations: readonly Operation[] = [
  listLogDestinations,
  createLogDestination,
  updateLogDestination,
  deleteLogDestination,
  getLogDestination,
  testLogDestination,
  rewindLogDestination,
];
