import { Anchor, Text } from "@mantine/core";
import { IconLink } from "@tabler/icons-react";
import { isObject } from "#openapi/json";
import { JsonView } from "../../components/json-view.tsx";
import { Note } from "../../components/note.tsx";

/** Other image types can contain scripts. */
const IMAGES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** One content block of a result, rendered inert (WEB-2). */
export function ContentBlock({ block }: { block: unknown }) {
  const { type, text, data, mimeType, resource }: { [name: string]: unknown } = isObject(block) ? block : {};
  if (type === "text" && typeof text === "string") return <PlainText text={text} />;
  if (type === "image" && typeof data === "string") return <ResultImage data={data} mimeType={mimeType} />;
  if (type === "audio" && typeof data === "string") {
    return <Note>Audio ({String(mimeType)}). Audio is not played here; see Raw JSON.</Note>;
  }
  if (type === "resource_link" && isObject(block)) return <ResourceLink link={block} />;
  if (type === "resource" && isObject(resource)) return <Resource resource={resource} />;
  return <JsonView value={block} label="content block" />;
}

function PlainText({ text }: { text: string }) {
  if (text === "") return <Note>Empty text</Note>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
    <pre className="gh-result-text" tabIndex={0}>
      {text}
    </pre>
  );
}

function ResultImage({ data, mimeType }: { data: string; mimeType: unknown }) {
  const isShown = typeof mimeType === "string" && IMAGES.has(mimeType) && BASE64.test(data);
  if (!isShown) return <Note>Image of an unsupported type ({String(mimeType)})</Note>;
  return <img className="gh-result-image" src={`data:${mimeType};base64,${data}`} alt="Tool result" />;
}

function ResourceLink({ link }: { link: { readonly [name: string]: unknown } }) {
  const uri = String(link.uri ?? "");
  const name = typeof link.title === "string" ? link.title : String(link.name ?? uri);
  return (
    <div className="gh-result-link">
      <IconLink size={16} aria-hidden />
      <div>
        {/^https?:\/\//i.test(uri) ? (
          <Anchor href={uri} target="_blank" rel="noopener noreferrer nofollow" size="sm">
            {name}
          </Anchor>
        ) : (
          <Text size="sm">{name}</Text>
        )}
        <Text size="xs" c="dimmed">
          {uri}
        </Text>
        {typeof link.description === "string" && <Text size="xs">{link.description}</Text>}
      </div>
    </div>
  );
}

function Resource({ resource }: { resource: { readonly [name: string]: unknown } }) {
  return (
    <div>
      <Text size="xs" c="dimmed" mb={4}>
        {String(resource.uri ?? "")}
      </Text>
      {typeof resource.text === "string" ? (
        <PlainText text={resource.text} />
      ) : (
        <Note>File ({String(resource.mimeType ?? "unknown type")}). See Raw JSON for its content.</Note>
      )}
    </div>
  );
}
