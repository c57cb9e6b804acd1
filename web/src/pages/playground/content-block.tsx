import { Anchor, Text } from "@mantine/core";
import { IconLink } from "@tabler/icons-react";
import { isObject } from "#openapi/json";
import { JsonView } from "../../components/json-view.tsx";
import { Note } from "../../components/note.tsx";

/** Others could hold a script. */
const IMAGES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** One block of a result. Whatever a server writes there is shown and does nothing (WEB-2). */
export function ContentBlock({ block }: { block: unknown }) {
  const { type, text, data, mimeType, resource }: { [name: string]: unknown } = isObject(block) ? block : {};
  if (type === "text" && typeof text === "string") return <PlainText text={text} />;
  if (type === "image" && typeof data === "string") return <Picture data={data} mimeType={mimeType} />;
  if (type === "audio" && typeof data === "string") {
    return <Note>A recording ({String(mimeType)}), which is not played here. It is in the raw answer.</Note>;
  }
  if (type === "resource_link" && isObject(block)) return <ResourceLink link={block} />;
  if (type === "resource" && isObject(resource)) return <Resource resource={resource} />;
  return <JsonView value={block} label="block" />;
}

function PlainText({ text }: { text: string }) {
  if (text === "") return <Note>An empty text.</Note>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
    <pre className="gh-result-text" tabIndex={0}>
      {text}
    </pre>
  );
}

function Picture({ data, mimeType }: { data: string; mimeType: unknown }) {
  const isShown = typeof mimeType === "string" && IMAGES.has(mimeType) && BASE64.test(data);
  if (!isShown) return <Note>A picture of a kind that is not shown here ({String(mimeType)}).</Note>;
  return <img className="gh-result-image" src={`data:${mimeType};base64,${data}`} alt="What the tool answered" />;
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
        <Note>A file ({String(resource.mimeType ?? "of unknown kind")}), which is in the raw answer.</Note>
      )}
    </div>
  );
}
