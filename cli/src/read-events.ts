/** Yields the data of each server-sent event. */
export async function* readEvents(response: Response): AsyncGenerator<string> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    const text = decoder.decode(chunk, { stream: true });
    // A long event that arrives in many chunks is scanned once, not with every chunk.
    const mayEnd = /[\r\n]/.test(text) || rest.endsWith("\r");
    rest += text;
    if (!mayEnd) continue;
    // A carriage return at the end may be the first half of CRLF.
    const lines = rest.replace(/\r\n|\r(?!$)/g, "\n").split(/\n\n/);
    rest = lines.pop() ?? "";
    for (const event of lines) {
      const data = dataOf(event);
      if (data !== undefined) yield data;
    }
  }
}

function dataOf(event: string): string | undefined {
  const lines = event.split("\n").filter((line) => line === "data" || line.startsWith("data:"));
  return lines.length === 0 ? undefined : lines.map((line) => line.slice(5).replace(/^ /, "")).join("\n");
}
