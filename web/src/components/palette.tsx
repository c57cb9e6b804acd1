import { Loader, Modal } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { KeyHint } from "./key-hint.tsx";
import "./palette.css";

export interface PaletteEntry {
  /** Unique among all entries. */
  readonly key: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly icon: ReactNode;
  run(): void;
}

export interface PaletteGroup {
  readonly title: string;
  readonly entries: readonly PaletteEntry[];
}

interface PaletteProps {
  readonly opened: boolean;
  onClose(): void;
  readonly query: string;
  onQuery(query: string): void;
  readonly groups: readonly PaletteGroup[];
  /** Results are loading; Enter waits for them. */
  readonly isSearching: boolean;
  /** Shown when there are no results. */
  readonly noResults: ReactNode;
}

/** The command palette: a combobox whose list is always open. */
export function Palette({ opened, onClose, ...rest }: PaletteProps) {
  const isShown = useAfterMount(opened);
  return (
    <Modal.Root opened={isShown} onClose={onClose} size={640} yOffset="12vh" centered={false}>
      <Modal.Overlay backgroundOpacity={0.35} />
      <Modal.Content aria-label="Search">
        <Modal.Body p={0}>{isShown && <PaletteBody onClose={onClose} {...rest} />}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Mantine returns the focus only from dialogs that were mounted before they opened, and the palette loads with its first use. */
function useAfterMount(opened: boolean): boolean {
  const [isMounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  return opened && isMounted;
}

function PaletteBody({ onClose, query, onQuery, groups, isSearching, noResults }: Omit<PaletteProps, "opened">) {
  const listId = useId();
  const entries = groups.flatMap((group) => group.entries);
  const optionId = (entry: PaletteEntry) => `${listId}-${entries.indexOf(entry)}`;
  const run = (entry: PaletteEntry) => {
    onClose();
    entry.run();
  };
  const { active, choose, onKeyDown } = useChoice(entries, isSearching, run);
  return (
    <>
      <div className="gh-palette-search">
        <IconSearch size={18} stroke={1.7} aria-hidden />
        <input
          role="combobox"
          aria-label="Search or jump to"
          aria-expanded
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={active && optionId(active)}
          placeholder="Search or jump to…"
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          value={query}
          onChange={(event) => {
            choose(undefined);
            onQuery(event.currentTarget.value);
          }}
          onKeyDown={onKeyDown}
        />
        {isSearching && <Loader size={14} aria-label="Searching" />}
      </div>
      <div className="gh-palette-list" role="listbox" aria-label="Results" id={listId}>
        {groups.map(({ title, entries: found }) => (
          <Group key={title} title={title} isEmpty={found.length === 0}>
            {found.map((entry) => (
              <Option
                key={entry.key}
                id={optionId(entry)}
                entry={entry}
                isActive={entry === active}
                onPoint={() => choose(entry.key)}
                onRun={() => run(entry)}
              />
            ))}
          </Group>
        ))}
      </div>
      {entries.length === 0 && !isSearching && <div className="gh-palette-note">{noResults}</div>}
      <Keys />
    </>
  );
}

/** The entry that Enter runs: the highlighted one, even if new results move it, or else the first. */
function useChoice(entries: readonly PaletteEntry[], isSearching: boolean, run: (entry: PaletteEntry) => void) {
  const [chosen, choose] = useState<string>();
  const [isEntered, setEntered] = useState(false);
  const active = entries.find(({ key }) => key === chosen) ?? entries[0];
  // Enter pressed while searching applies to the new results, not to the previous ones.
  useEffect(() => {
    if (!isEntered || isSearching) return;
    setEntered(false);
    if (active) run(active);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      if (isSearching && chosen === undefined) setEntered(true);
      else if (active) run(active);
      return;
    }
    setEntered(false);
    const step = STEPS[event.key];
    if (step === undefined || !active) return;
    event.preventDefault();
    choose(entries.at((entries.indexOf(active) + step) % entries.length)?.key);
  };
  return { active, choose, onKeyDown };
}

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };

function Group({ title, isEmpty, children }: { title: string; isEmpty: boolean; children: ReactNode }) {
  if (isEmpty) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a listbox contains groups of options, not fieldsets.
    <div role="group" aria-label={title}>
      <div className="gh-palette-heading" aria-hidden>
        {title}
      </div>
      {children}
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly entry: PaletteEntry;
  readonly isActive: boolean;
  onPoint(): void;
  onRun(): void;
}

function Option({ id, entry: { label, description, icon }, isActive, onPoint, onRun }: OptionProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: "nearest" });
  }, [isActive]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keyboard, as in every combobox.
    <div
      ref={element}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className="gh-palette-entry"
      // Keeps the focus in the input.
      onMouseDown={(event) => event.preventDefault()}
      onMouseMove={isActive ? undefined : onPoint}
      onClick={onRun}
    >
      <span className="gh-palette-icon" aria-hidden>
        {icon}
      </span>
      <span className="gh-palette-label gh-truncate">{label}</span>
      {description !== undefined && <span className="gh-palette-description gh-truncate">{description}</span>}
    </div>
  );
}

function Keys() {
  return (
    <div className="gh-palette-foot" aria-hidden>
      <span>
        <KeyHint keys={["↑", "↓"]} /> select
      </span>
      <span>
        <KeyHint keys={["Enter"]} /> open
      </span>
      <span>
        <KeyHint keys={["Esc"]} /> close
      </span>
    </div>
  );
}
