import { Loader, MultiSelect, Select } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";

/** An option with a unique value. */
export interface Pickable {
  readonly value: string;
  readonly label: string;
  /** Distinguishes options with the same label. */
  readonly description?: string | undefined;
}

interface PickProps {
  readonly label: string;
  readonly description?: string;
  readonly placeholder: string;
  /** The search results; the parent fetches them. */
  readonly options: readonly Pickable[];
  readonly isLoading: boolean;
  readonly search: string;
  onSearch(search: string): void;
  readonly error?: string | undefined;
  readonly autoFocus?: boolean;
  readonly disabled?: boolean;
}

interface PickManyProps extends PickProps {
  readonly picked: readonly Pickable[];
  onPick(picked: readonly Pickable[]): void;
  /** The options named by pasted text. Empty: the text is inserted into the search. */
  pickPasted?(text: string): readonly Pickable[];
}

/** A searchable multi-select. */
export function PickMany(props: PickManyProps) {
  const { picked, onPick, options, isLoading, onSearch, autoFocus, pickPasted, ...rest } = props;
  const known = distinct([...picked, ...options]);
  const [isOpen, list] = useDisclosure();
  return (
    <MultiSelect
      {...rest}
      data={known.map(({ value, label }) => ({ value, label }))}
      value={picked.map(({ value }) => value)}
      onChange={(values) => onPick(known.filter(({ value }) => values.includes(value)))}
      placeholder={picked.length === 0 ? rest.placeholder : ""}
      searchValue={rest.search}
      onSearchChange={onSearch}
      filter={({ options: all }) => all}
      renderOption={({ option }) => <PickOption option={known.find(({ value }) => value === option.value)} />}
      nothingFoundMessage={isLoading ? "Searching…" : "No results"}
      rightSection={isLoading ? <Loader size={14} /> : undefined}
      // Closes after each selection, because the list would cover the next button.
      dropdownOpened={isOpen}
      onDropdownOpen={list.open}
      onDropdownClose={list.close}
      onOptionSubmit={list.close}
      onPaste={(event) => {
        const pasted = pickPasted?.(event.clipboardData.getData("text")) ?? [];
        if (pasted.length === 0) return;
        event.preventDefault();
        onPick(distinct([...picked, ...pasted]));
        list.close();
      }}
      searchable
      hidePickedOptions
      data-autofocus={autoFocus || undefined}
    />
  );
}

interface PickOneProps extends PickProps {
  readonly picked: Pickable | undefined;
  onPick(picked: Pickable | undefined): void;
}

/** A searchable select. */
export function PickOne({ picked, onPick, options, isLoading, search, onSearch, autoFocus, ...rest }: PickOneProps) {
  const known = distinct([...(picked ? [picked] : []), ...options]);
  return (
    <Select
      {...rest}
      data={known.map(({ value, label }) => ({ value, label }))}
      value={picked?.value ?? null}
      onChange={(chosen) => onPick(known.find(({ value }) => value === chosen))}
      searchValue={search}
      onSearchChange={onSearch}
      filter={({ options: all }) => all}
      renderOption={({ option }) => <PickOption option={known.find(({ value }) => value === option.value)} />}
      nothingFoundMessage={isLoading ? "Searching…" : "No results"}
      rightSection={isLoading ? <Loader size={14} /> : undefined}
      searchable
      data-autofocus={autoFocus || undefined}
    />
  );
}

function PickOption({ option }: { option: Pickable | undefined }) {
  return (
    <span className="gh-two-lines">
      <span>{option?.label}</span>
      {option?.description !== undefined && <span>{option.description}</span>}
    </span>
  );
}

function distinct(options: readonly Pickable[]): readonly Pickable[] {
  return [...new Map(options.map((option) => [option.value, option])).values()];
}
