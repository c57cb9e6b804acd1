/** The record of the built-in sample server. */
export const SAMPLE = {
  slug: "sample",
  name: "Sample",
  description: "Two harmless tools for trying Gatehouse. Delete this server when you have added your own.",
} as const;
