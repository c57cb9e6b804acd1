import { Checkbox, Text } from "@mantine/core";
import { StatusPill } from "../../components/status-pill.tsx";
import type { Detail } from "../mcp-servers/servers.ts";
import { ToolEffect } from "../mcp-servers/tool-effect.tsx";
import "./granted-tools.css";

interface ToolCheckboxesProps {
  readonly tools: Detail["all_tools"];
  /** Slugs of tools that were added after the last selection. */
  readonly newTools: readonly string[];
  readonly picked: ReadonlySet<string>;
  onPick(picked: ReadonlySet<string>): void;
}

export function ToolCheckboxes({ tools, newTools, picked, onPick }: ToolCheckboxesProps) {
  const toggle = (slug: string, isPicked: boolean) => {
    const next = new Set(picked);
    if (isPicked) next.add(slug);
    else next.delete(slug);
    onPick(next);
  };
  if (tools.length === 0) return <Text size="sm">No matching tools</Text>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the list scrolls, so the keyboard must reach it
    <ul className="gh-select-tools" aria-label="Tools" tabIndex={0}>
      {tools.map(({ name, slug, description, hints, enabled }) => (
        <li key={slug}>
          <Checkbox
            label={name}
            description={description}
            checked={picked.has(slug)}
            onChange={(event) => toggle(slug, event.currentTarget.checked)}
          />
          <span className="gh-select-tools-pills">
            {newTools.includes(slug) && <StatusPill tone="warn">New</StatusPill>}
            {!enabled && <StatusPill tone="quiet">Disabled</StatusPill>}
            <ToolEffect hints={hints} />
          </span>
        </li>
      ))}
    </ul>
  );
}
