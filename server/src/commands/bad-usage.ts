/** Arguments that a command does not take: one line, its usage, exit 64. */
export class BadUsage extends Error {
  override readonly name = "BadUsage";
}
