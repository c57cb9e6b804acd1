import { Anchor } from "@mantine/core";
import ReactMarkdown, { type Components } from "react-markdown";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import "./markdown.css";

const PROTOCOLS = ["http:", "https:", "mailto:"];

const COMPONENTS: Components = {
  a: ({ href, children }) => <OutsideLink href={href}>{children}</OutsideLink>,
  // Loading an image would reveal the reader to another host.
  img: ({ src, alt }) => <OutsideLink href={typeof src === "string" ? src : undefined}>{alt || "Image"}</OutsideLink>,
};

/** Renders Markdown without raw HTML: tags are shown as text. */
export function MarkdownRendered({ text }: { text: string }) {
  return (
    <ReactMarkdown
      remarkPlugins={[remarkGfm]}
      rehypePlugins={[[rehypeSanitize, { ...defaultSchema, clobberPrefix: "text-" }]]}
      components={COMPONENTS}
    >
      {text}
    </ReactMarkdown>
  );
}

/** Shows the link's host next to its text, and drops links with other protocols. */
function OutsideLink({ href, children }: { href: string | undefined; children: React.ReactNode }) {
  const url = href === undefined ? null : URL.parse(href);
  if (!url || !PROTOCOLS.includes(url.protocol)) return <>{children}</>;
  return (
    <Anchor href={url.href} target="_blank" rel="noopener noreferrer nofollow" inherit>
      {children}
      {url.host !== "" && <span className="gh-link-host"> ({url.host})</span>}
    </Anchor>
  );
}
