/** The server that Gatehouse brings along, as it is added. */
export const SAMPLE = {
  slug: "sample",
  name: "Sample",
  description: "Two harmless tools to try Gatehouse with. Delete it when you have servers of your own.",
} as const;
