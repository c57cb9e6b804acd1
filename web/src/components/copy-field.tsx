import { ActionIcon, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useCopy } from "./use-copy.ts";
import "./copy.css";

interface CopyFieldProps {
  readonly value: string;
  /** Names the value for screen readers: "gateway URL". */
  readonly label: string;
  /** Keeps line breaks, for snippets. */
  readonly multiline?: boolean;
}

/** A framed value with a copy button. */
export function CopyField({ value, label, multiline = false }: CopyFieldProps) {
  const { copy, copied } = useCopy();
  return (
    <div className="gh-copy-field" data-multiline={multiline || undefined}>
      <code className={multiline ? "gh-copy-lines" : undefined}>{value}</code>
      <Tooltip label={copied ? "Copied" : `Copy ${label}`}>
        <ActionIcon onClick={() => copy(value)} aria-label={copied ? "Copied" : `Copy ${label}`} size="sm">
          {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
        </ActionIcon>
      </Tooltip>
    </div>
  );
}
