import { Skeleton } from "@mantine/core";
import { lazy, Suspense } from "react";

const Rendered = lazy(() =>
  import("./markdown-rendered.tsx").then(({ MarkdownRendered }) => ({ default: MarkdownRendered })),
);

/** Untrusted Markdown, rendered inert (WEB-3). The renderer loads on first use. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className="gh-markdown">
      <Suspense fallback={<Skeleton height="4.5rem" aria-busy />}>
        <Rendered text={text} />
      </Suspense>
    </div>
  );
}
