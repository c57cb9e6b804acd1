import { type ReactNode, useCallback, useEffect, useState } from "react";
import type { Agent } from "./agents.ts";

export interface SectionProps {
  readonly agent: Agent;
  /** Shows the saved values, and clears entered secrets. */
  onSaved(): void;
  /** Whether the section has changes that are not saved. */
  onChanges(hasChanges: boolean): void;
}

interface SettingsSectionProps {
  readonly name: string;
  /** The values that the section shows. Other values load it again. */
  readonly shown: unknown;
  /** The same function in each render. */
  report(name: string, hasChanges: boolean): void;
  children(props: Pick<SectionProps, "onSaved" | "onChanges">): ReactNode;
}

/** Saving one section keeps the unsaved changes of the others. */
export function SettingsSection({ name, shown, report, children }: SettingsSectionProps) {
  const [saves, setSaves] = useState(0);
  const onChanges = useCallback((hasChanges: boolean) => report(name, hasChanges), [name, report]);
  return (
    <div key={`${saves} ${JSON.stringify(shown)}`} className="gh-agent-section">
      {children({ onSaved: () => setSaves((count) => count + 1), onChanges })}
    </div>
  );
}

export function useReportedChanges(hasChanges: boolean, onChanges: SectionProps["onChanges"]): void {
  useEffect(() => {
    onChanges(hasChanges);
    return () => onChanges(false);
  }, [hasChanges, onChanges]);
}

/** The names of the sections with unsaved changes, and the function that reports them. */
export function useUnsavedSections(): [unsaved: readonly string[], report: SettingsSectionProps["report"]] {
  const [unsaved, setUnsaved] = useState<readonly string[]>([]);
  const report = useCallback((name: string, hasChanges: boolean) => {
    setUnsaved((names) => {
      if (names.includes(name) === hasChanges) return names;
      return hasChanges ? [...names, name] : names.filter((each) => each !== name);
    });
  }, []);
  return [unsaved, report];
}
