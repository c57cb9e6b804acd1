import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { isObject } from "#openapi/json";
import type { Answer, Gateway, Progress, Question } from "../../api/gateway.ts";
import type { Outcome } from "../logs/call-labels.ts";

/** One call made in the playground. */
export interface Run {
  readonly id: number;
  readonly tool: string;
  readonly given: unknown;
  readonly startedAt: number;
  readonly ms: number;
  readonly answer: Answer;
}

/** The outcome as the log records it, as far as the response shows it. */
export function outcomeOf({ answer: { error, result, requestId } }: Pick<Run, "answer">): Outcome {
  if (!error) return isObject(result) && result.isError === true ? "tool_error" : "ok";
  // The gateway adds the request ID to its errors about unavailable servers; other errors come from the MCP server.
  if (isObject(error.data) && error.data.requestId === requestId) return "upstream_failed";
  return String(error.message).startsWith("Unknown tool") ? "denied" : "error";
}

const KEY = ["playground", "history"];
const MAX_RUNS = 30;

/** The runs of this tab, kept in memory only. */
export function useRuns(): readonly Run[] {
  const { data } = useQuery<readonly Run[]>({
    queryKey: KEY,
    queryFn: () => [],
    initialData: [],
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return data;
}

export interface Running {
  readonly isRunning: boolean;
  readonly startedAt: number;
  readonly progress: Progress | undefined;
  /** The open question of the server. */
  readonly question: Question | undefined;
  readonly error: Error | null;
  /** Called after the question was answered. */
  nextQuestion(): void;
  run(tool: string, given: unknown): void;
  cancel(): void;
}

export function useRunning(gateway: Gateway, onDone: (run: Run) => void): Running {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<Progress>();
  const [questions, setQuestions] = useState<readonly Question[]>([]);
  const [startedAt, setStartedAt] = useState(0);
  const stop = useRef(new AbortController());
  const work = useMutation({
    mutationFn: async ({ tool, given }: { tool: string; given: unknown }) => {
      stop.current = new AbortController();
      setProgress(undefined);
      setQuestions([]);
      const began = performance.now();
      const at = Date.now();
      setStartedAt(at);
      const { signal } = stop.current;
      const onQuestion = (question: Question) => setQuestions((old) => [...old, question]);
      const answer = await gateway.callTool(tool, given, { signal, onProgress: setProgress, onQuestion });
      return { id: at, tool, given, startedAt: at, ms: performance.now() - began, answer };
    },
    onSuccess(run) {
      queries.setQueryData<readonly Run[]>(KEY, (old = []) => [run, ...old].slice(0, MAX_RUNS));
      onDone(run);
    },
  });
  return {
    isRunning: work.isPending,
    startedAt,
    progress,
    question: questions[0],
    nextQuestion: () => setQuestions((old) => old.slice(1)),
    error: work.error,
    run: (tool, given) => work.mutate({ tool, given }),
    cancel: () => stop.current.abort(),
  };
}
