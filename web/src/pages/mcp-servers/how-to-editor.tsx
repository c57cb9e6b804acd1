import { Text, Textarea, type TextareaProps } from "@mantine/core";
import { Markdown } from "../../components/markdown.tsx";

/** The text beside what users will see of it. */
export function HowToEditor({ input, text }: { input: Partial<TextareaProps>; text: string }) {
  return (
    <div className="gh-how-to">
      <Textarea
        aria-label="How-to"
        placeholder={"1. Open the settings of your account\n2. Create a key that may read"}
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
            Users see nothing beside the form.
          </Text>
        ) : (
          <Markdown text={text} />
        )}
      </div>
    </div>
  );
}
