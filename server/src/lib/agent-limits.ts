/** Families 7: of the system prompt of a background agent. */
export const MAX_INSTRUCTIONS_BYTES = 64 * 1024;
