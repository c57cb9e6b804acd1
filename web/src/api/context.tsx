import { queryOptions } from "@tanstack/react-query";
import { createContext, type ReactNode, use } from "react";
import type { Operations } from "#openapi/types";
import { currentPath, withBasePath } from "./base-path.ts";
import type { Api } from "./client.ts";

export type Me = Operations["getMe"]["answer"];

export interface Session {
  /** The API returned 401. The page keeps its state until the user signs in again. */
  readonly isExpired: boolean;
  resume(): void;
}

const ApiContext = createContext<Api | null>(null);
const SessionContext = createContext<Session | null>(null);
const MeContext = createContext<Me | null>(null);
const LockedContext = createContext(false);

interface ApiProviderProps {
  readonly api: Api;
  readonly session: Session;
  readonly children: ReactNode;
}

export function ApiProvider({ api, session, children }: ApiProviderProps) {
  return (
    <ApiContext value={api}>
      <SessionContext value={session}>{children}</SessionContext>
    </ApiContext>
  );
}

export function MeProvider({ me, children }: { me: Me; children: ReactNode }) {
  return <MeContext value={me}>{children}</MeContext>;
}

/** One function per operation of the administration API. */
export function useApi(): Api {
  return required(use(ApiContext));
}

export function useSession(): Session {
  return required(use(SessionContext));
}

/** The signed-in user, the organization, and the gateway URL. Available inside the shell. */
export function useMe(): Me {
  return required(use(MeContext));
}

export function meQuery(api: Api) {
  return queryOptions({
    queryKey: ["me"],
    queryFn: ({ signal }) => api.getMe({ signal }),
    staleTime: 5 * 60 * 1000,
    refetchOnWindowFocus: "always",
  });
}

export interface Rights {
  /** Can view servers, users, and logs of the organization. */
  readonly administers: boolean;
  /** Can change them. */
  readonly changes: boolean;
}

export function rightsOf({ data }: Me): Rights {
  const has = (...scopes: string[]) => scopes.some((scope) => data.scopes.includes(scope));
  return { administers: has("all", "admin:read", "admin:write"), changes: has("all", "admin:write") };
}

export function useRights(): Rights {
  const rights = rightsOf(useMe());
  return { ...rights, changes: rights.changes && !use(LockedContext) };
}

/** Shows what people without permission to make changes see. */
export function Locked({ isLocked, children }: { isLocked: boolean; children: ReactNode }) {
  return <LockedContext value={isLocked}>{children}</LockedContext>;
}

/** The sign-in page, which returns to the current page. */
export function signInUrl(): string {
  return `${withBasePath("/sign-in")}?return_to=${encodeURIComponent(currentPath())}`;
}

function required<Value>(value: Value | null): Value {
  if (value === null) throw new Error("The hook was used outside of its provider");
  return value;
}
