/** Invalid arguments: prints one line and the usage, and exits with 64. */
export class BadUsage extends Error {
  override readonly name = "BadUsage";
}
