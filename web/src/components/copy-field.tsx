import { ActionIcon, Tooltip } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
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
  const { copy, copied, error } = useClipboard({ timeout: 1500 });
  const tooltip = error ? "The browser blocked copying. Select the text and copy it manually." : `Copy ${label}`;
  return (
    <div className="gh-copy-field" data-multiline={multiline || undefined}>
      <code className={multiline ? "gh-copy-lines" : undefined}>{value}</code>
      <Tooltip label={copied ? "Copied" : tooltip}>
        <ActionIcon onClick={() => copy(value)} aria-label={copied ? "Copied" : `Copy ${label}`} size="sm">
          {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
        </ActionIcon>
      </Tooltip>
    </div>
  );
}
