import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useApi } from "../../api/context.tsx";
import { agentsKey, type Session, type Step, sessionKey, sessionQuery, stepsKey, stepsQuery } from "./agents.ts";

/** Before a stream that broke is opened again. */
const RETRY_MS = 2_000;

/** A session and its steps, live until it ends. */
export function useLiveSession(slug: string, id: string) {
  const api = useApi();
  const queries = useQueryClient();
  const session = useQuery(sessionQuery(api, slug, id));
  const steps = useQuery(stepsQuery(api, slug, id));
  const isOpen = session.data?.ended_at === null && steps.data !== undefined;
  useEffect(() => {
    if (!isOpen) return;
    const stop = new AbortController();
    const lastIndex = () => queries.getQueryData<Step[]>(stepsKey(slug, id))?.at(-1)?.index ?? -1;
    const follow = async () => {
      for await (const { name, data } of api.followSession(slug, id, lastIndex(), stop.signal)) {
        if (name === "step") {
          const step: Step = JSON.parse(data);
          queries.setQueryData<Step[]>(stepsKey(slug, id), (old = []) => [...old, step]);
        } else if (name === "status") queries.setQueryData<Session>(sessionKey(slug, id), JSON.parse(data));
      }
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const followAgain = () => {
      follow()
        .catch(() => undefined)
        .finally(() => {
          if (stop.signal.aborted) return;
          // Also if the stream ended without the end of the session.
          void queries.invalidateQueries({ queryKey: sessionKey(slug, id) });
          timer = setTimeout(followAgain, RETRY_MS);
        });
    };
    followAgain();
    return () => {
      stop.abort();
      clearTimeout(timer);
      void queries.invalidateQueries({ queryKey: [...agentsKey, "one", slug] });
    };
  }, [api, queries, slug, id, isOpen]);
  return { session, steps };
}
