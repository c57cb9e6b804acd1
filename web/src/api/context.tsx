import { queryOptions } from "@tanstack/react-query";
import { createContext, type ReactNode, use } from "react";
import type { Operations } from "#openapi/types";
import { currentPath, withBasePath } from "./base-path.ts";
import type { Api } from "./client.ts";

export type Me = Operations["getMe"]["answer"];

export interface Session {
  /** The API answered 401: what is typed stays, and nothing works until somebody signs in again. */
  readonly isOver: boolean;
  resume(): void;
}

const ApiContext = createContext<Api | null>(null);
const SessionContext = createContext<Session | null>(null);
const MeContext = createContext<Me | null>(null);

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
  return known(use(ApiContext));
}

export function useSession(): Session {
  return known(use(SessionContext));
}

/** Who is signed in, and where the gateway is. Inside the shell, where it is known. */
export function useMe(): Me {
  return known(use(MeContext));
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
  /** May see what concerns others: servers, people, logs. */
  readonly administers: boolean;
  /** May change it. */
  readonly changes: boolean;
}

export function rightsOf({ data }: Me): Rights {
  const has = (...scopes: string[]) => scopes.some((scope) => data.scopes.includes(scope));
  return { administers: has("all", "admin:read", "admin:write"), changes: has("all", "admin:write") };
}

export function useRights(): Rights {
  return rightsOf(useMe());
}

/** Where to sign in, so that this very page comes back afterwards. */
export function signInUrl(): string {
  return `${withBasePath("/sign-in")}?return_to=${encodeURIComponent(currentPath())}`;
}

function known<Value>(value: Value | null): Value {
  if (value === null) throw new Error("used outside of its provider");
  return value;
}
