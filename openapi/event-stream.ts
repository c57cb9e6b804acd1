/** An event of a stream of server-sent events. */
export interface StreamEvent {
  readonly name: string;
  readonly data: string;
}

/** The events of a response. Comments and incomplete events are left out. */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = eventOf(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function eventOf(block: string): StreamEvent | undefined {
  const lines = block.split("\n");
  const name = lines.find((line) => line.startsWith("event: "))?.slice("event: ".length);
  const data = lines.filter((line) => line.startsWith("data: ")).map((line) => line.slice("data: ".length));
  return name === undefined || data.length === 0 ? undefined : { name, data: data.join("\n") };
}
