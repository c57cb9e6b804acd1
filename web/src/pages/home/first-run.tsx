import { Skeleton } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useApi, useRights } from "../../api/context.tsx";
import { firstRunQuery, stepsOf } from "./progress.ts";

/** Only new installations need it, so others do not load its forms. */
const Checklist = lazy(async () => ({ default: (await import("./first-run-checklist.tsx")).Checklist }));

interface FirstRunProps {
  /** The rest of the page. It renders after the checklist is loaded, so that the layout does not shift. */
  readonly children: ReactNode;
}

/** The setup checklist up to the first call. It updates automatically and disappears when it is dismissed. */
export function FirstRun({ children }: FirstRunProps) {
  const { changes } = useRights();
  const [isDismissed, setDismissed] = useLocalStorage({
    key: "gatehouse-first-run-dismissed",
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const [wasOpen, setWasOpen] = useState(false);
  const isWanted = changes && !isDismissed;
  const { data: progress, isPending } = useQuery({ ...firstRunQuery(useApi()), enabled: isWanted });
  if (isWanted && isPending) return LOADING;
  // An installation that is already set up shows no checklist.
  if (progress && !wasOpen && stepsOf(progress).includes(false)) setWasOpen(true);
  return (
    <Suspense fallback={LOADING}>
      {isWanted && progress && wasOpen && <Checklist progress={progress} onDismiss={() => setDismissed(true)} />}
      {children}
    </Suspense>
  );
}

const LOADING = <Skeleton height={320} aria-busy="true" />;
