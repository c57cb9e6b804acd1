/** The semantic color of a status. */
export type Tone = "good" | "warn" | "bad" | "info" | "quiet";
