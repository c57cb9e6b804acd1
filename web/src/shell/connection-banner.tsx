import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { healthQuery, useConnectivity } from "../api/health.ts";
import "./connection-banner.css";

/** Reports an outage on every page, and reloads the data when it is over. */
export function ConnectionBanner() {
  const connectivity = useConnectivity();
  const isOffline = connectivity === "offline";
  const isAway = isOffline || connectivity === "unreachable";
  useRefetchAfterOutage(isAway, isOffline);
  return (
    <div role="status" className="gh-connection-banner" data-shown={isAway || undefined}>
      {isOffline && "You are offline. Gatehouse reconnects automatically."}
      {connectivity === "unreachable" && "Gatehouse is unreachable. Retrying…"}
    </div>
  );
}

function useRefetchAfterOutage(isAway: boolean, isOffline: boolean): void {
  const queries = useQueryClient();
  const wasAway = useRef(false);
  useEffect(() => {
    if (wasAway.current && !isAway)
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "health" });
    wasAway.current = isAway;
  }, [isAway, queries]);
  useEffect(() => {
    if (!isOffline) void queries.invalidateQueries({ queryKey: healthQuery.queryKey });
  }, [isOffline, queries]);
}
