import { lazy, Suspense } from "react";

const Rendered = lazy(() =>
  import("./markdown-rendered.tsx").then(({ MarkdownRendered }) => ({ default: MarkdownRendered })),
);

/** Text from outside, rendered inert (WEB-3). The renderer is loaded with the first text; until then the text is plain. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className="gh-markdown">
      <Suspense fallback={<p>{text}</p>}>
        <Rendered text={text} />
      </Suspense>
    </div>
  );
}
