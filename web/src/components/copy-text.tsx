import { Tooltip, UnstyledButton } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useCopy } from "./use-copy.ts";
import "./copy.css";

interface CopyTextProps {
  readonly value: string;
  /** Describes the button for screen readers. */
  readonly label: string;
  /** Displayed instead of the value. */
  readonly children?: string | undefined;
}

/** A short text that is copied with a click. */
export function CopyText({ value, label, children }: CopyTextProps) {
  const { copy, copied } = useCopy();
  return (
    <Tooltip label={copied ? "Copied" : label}>
      <UnstyledButton
        className="gh-copy-text"
        onClick={() => copy(value)}
        aria-label={`${label}: ${children ?? value}`}
      >
        <span className="gh-truncate">{children ?? value}</span>
        {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
        <span className="gh-visually-hidden" aria-live="polite">
          {copied ? "Copied" : ""}
        </span>
      </UnstyledButton>
    </Tooltip>
  );
}
