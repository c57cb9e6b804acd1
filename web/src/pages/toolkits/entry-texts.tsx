import { Stack, Textarea, TextInput } from "@mantine/core";
import type { Entry } from "./toolkits.ts";

/** What the server says about the tool. */
export interface Original {
  readonly title: string;
  readonly description: string;
  readonly slug: string;
}

type Texts = Pick<Entry, "alias" | "title" | "description">;

interface EntryTextsProps {
  readonly entry: Entry;
  /** Undefined: the tool does not exist. */
  readonly original: Original | undefined;
  readonly texts: Texts;
  onChange(texts: Texts): void;
}

/** Null: the server's text. */
function given(text: string): string | null {
  return text.trim() === "" ? null : text;
}

export function isAlias(alias: string | null): boolean {
  return alias === null || (/^[A-Za-z0-9_-]{1,64}$/.test(alias) && !alias.includes("__"));
}

/** Empty fields show what the server says. */
export function EntryTexts({ entry, original, texts, onChange }: EntryTextsProps) {
  const { alias, title, description } = texts;
  const own = original?.slug ?? entry.tool;
  return (
    <Stack gap="md">
      <TextInput
        label="Name"
        description={`Callers see ${entry.server}__${alias ?? own}`}
        placeholder={own}
        spellCheck={false}
        value={alias ?? ""}
        onChange={(event) => onChange({ ...texts, alias: given(event.currentTarget.value) })}
        error={isAlias(alias) ? undefined : "Use letters, numbers, hyphens, and single underscores"}
      />
      <TextInput
        label="Title"
        placeholder={original?.title ?? ""}
        value={title ?? ""}
        onChange={(event) => onChange({ ...texts, title: given(event.currentTarget.value) })}
      />
      <Textarea
        label="Description"
        description="What the model reads to decide when to call the tool"
        placeholder={original?.description ?? ""}
        autosize
        minRows={3}
        maxRows={12}
        value={description ?? ""}
        onChange={(event) => onChange({ ...texts, description: given(event.currentTarget.value) })}
      />
    </Stack>
  );
}
