import type { Operation } from "#api/kit/operation";
import { getConnector } from "./get-connector.ts";
import { getConnectorUsage } from "./get-connector-usage.ts";
import { listConnectorCategories } from "./list-connector-categories.ts";
import { listConnectors } from "./list-connectors.ts";

/** In document order. */
export const connectorOperations: readonly Operation[] = [
  listConnectors,
  listConnectorCategories,
  getConnector,
  getConnectorUsage,
];
