import { Text, Textarea, type TextareaProps } from "@mantine/core";
import { Markdown } from "../../components/markdown.tsx";

/** A Markdown field with its preview. */
export function HowToEditor({ input, text }: { input: Partial<TextareaProps>; text: string }) {
  return (
    <div className="gh-how-to">
      <Textarea
        aria-label="How-to"
        placeholder={"1. Open your account settings\n2. Create a key with read access"}
        autosize
        minRows={6}
        maxRows={18}
        {...input}
      />
      <div>
        <Text size="xs" c="dimmed" mb={4}>
          Preview
        </Text>
        {text.trim() === "" ? (
          <Text size="sm" c="dimmed">
            No instructions are shown.
          </Text>
        ) : (
          <Markdown text={text} />
        )}
      </div>
    </div>
  );
}
