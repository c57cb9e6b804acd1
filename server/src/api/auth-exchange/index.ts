import type { Operation } from "#api/kit/operation";
import { createExchangeProvider } from "./create-exchange-provider.ts";
import { deleteExchangeProvider } from "./delete-exchange-provider.ts";
import { endExchangeCredential } from "./end-exchange-credential.ts";
import { exchangeAuth } from "./exchange-auth.ts";
import { getExchangeProvider } from "./get-exchange-provider.ts";
import { listExchangeCredentials } from "./list-exchange-credentials.ts";
import { listExchangeProviders } from "./list-exchange-providers.ts";
import { refreshExchange } from "./refresh-exchange.ts";
import { revokeExchange } from "./revoke-exchange.ts";
import { testExchangeProvider } from "./test-exchange-provider.ts";
import { updateExchangeProvider } from "./update-exchange-provider.ts";

/** In document order. */
export const authExchangeOperations: readonly Operation[] = [
  exchangeAuth,
  refreshExchange,
  revokeExchange,
  listExchangeProviders,
  createExchangeProvider,
  updateExchangeProvider,
  deleteExchangeProvider,
  getExchangeProvider,
  testExchangeProvider,
  listExchangeCredentials,
  endExchangeCredential,
];
