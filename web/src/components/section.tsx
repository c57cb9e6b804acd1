import { Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import "./section.css";

interface SectionProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  /** What cannot be undone stands in a frame of its own colour. */
  readonly danger?: boolean;
  readonly children?: ReactNode;
}

/** A part of a detail page: a heading and what belongs to it, set off by space and a line. */
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

/** Names and values, aligned. A value that is undefined is left out, null is a dash. */
export function KeyValues({ items }: { items: ReadonlyArray<readonly [name: string, value: ReactNode]> }) {
  return (
    <dl className="gh-key-values">
      {items.map(([name, value]) =>
        value === undefined ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value ?? "–"}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
