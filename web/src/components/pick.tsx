import { Loader, MultiSelect, Select } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";

/** Something to pick, by a value that is unique among all. */
export interface Pickable {
  readonly value: string;
  readonly label: string;
  /** What tells it from others of the same name. */
  readonly description?: string | undefined;
}

interface PickProps {
  readonly label: string;
  readonly description?: string;
  readonly placeholder: string;
  /** What is found by what was typed; who fetches it stands around. */
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
  /** What a pasted text names, all to be picked at once; nothing: it is typed. */
  pickPasted?(text: string): readonly Pickable[];
}

/** Some of what is found by typing. */
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
      nothingFoundMessage={isLoading ? "Searching …" : "Nothing found"}
      rightSection={isLoading ? <Loader size={14} /> : undefined}
      // Closed by each pick: the list would lie over the button that comes next.
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

/** One of what is found by typing. */
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
      nothingFoundMessage={isLoading ? "Searching …" : "Nothing found"}
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
