/** How something stands, for what has a colour. */
export type Tone = "good" | "warn" | "bad" | "info" | "quiet";
