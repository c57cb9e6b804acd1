import { Skeleton } from "@mantine/core";
import { lazy, Suspense } from "react";

const Rendered = lazy(() =>
  import("./markdown-rendered.tsx").then(({ MarkdownRendered }) => ({ default: MarkdownRendered })),
);

/** Text from outside, rendered inert (WEB-3). The renderer is loaded with the first text. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className="gh-markdown">
      <Suspense fallback={<Skeleton height="4.5rem" aria-busy />}>
        <Rendered text={text} />
      </Suspense>
    </div>
  );
}
