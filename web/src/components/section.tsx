import { Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import "./section.css";

interface SectionProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  /** Frames actions that cannot be undone in red. */
  readonly danger?: boolean;
  readonly children?: ReactNode;
}

/** A titled section of a detail page. */
export function Section({ title, description, actions, danger = false, children }: SectionProps) {
  const id = useId();
  return (
    <section className="gh-section" data-danger={danger || undefined} aria-labelledby={id}>
      <div className="gh-section-head">
        <div>
          <Title order={2} id={id}>
            {title}
          </Title>
          {description !== undefined && <div className="gh-section-description">{description}</div>}
        </div>
        {actions && <div className="gh-page-actions">{actions}</div>}
      </div>
      {children}
    </section>
  );
}

interface KeyValuesProps {
  readonly items: ReadonlyArray<readonly [name: string, value: ReactNode]>;
  /** The names are identifiers, such as headers. */
  readonly isCode?: boolean;
}

/** Aligned names and values. Undefined values are omitted, null is shown as a dash. */
export function KeyValues({ items, isCode = false }: KeyValuesProps) {
  return (
    <dl className="gh-key-values">
      {items.map(([name, value]) =>
        value === undefined ? null : (
          <div key={name}>
            <dt>{isCode ? <code>{name}</code> : name}</dt>
            <dd>{value ?? "–"}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
