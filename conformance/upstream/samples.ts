/** A red pixel, and a WAV file of one sample. */
export const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
export const WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA==";

export function text(value: string) {
  return { type: "text" as const, text: value };
}

/** A tool result with one text. */
export function saying(value: string) {
  return { content: [text(value)] };
}
