import { ActionIcon, Tooltip } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import "./copy.css";

interface CopyFieldProps {
  readonly value: string;
  /** What it is: "gateway address". */
  readonly label: string;
  /** Lines are kept and the field grows, as for a snippet. */
  readonly multiline?: boolean;
  /** Shown instead of the value, which is copied all the same (WEB-8). */
  readonly masked?: string | undefined;
}

/** A value in a frame with a button that copies it. */
export function CopyField({ value, label, multiline = false, masked }: CopyFieldProps) {
  const { copy, copied, error } = useClipboard({ timeout: 1500 });
  const told = error ? "The browser did not allow it: select and copy by hand" : `Copy ${label}`;
  return (
    <div className="gh-copy-field" data-multiline={multiline || undefined}>
      <code className={multiline ? "gh-copy-lines" : "gh-truncate"}>{masked ?? value}</code>
      <Tooltip label={copied ? "Copied" : told}>
        <ActionIcon onClick={() => copy(value)} aria-label={copied ? "Copied" : `Copy ${label}`} size="sm">
          {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
        </ActionIcon>
      </Tooltip>
    </div>
  );
}
