/** A setting that cannot be: one clear line, exit 78. */
export class BadSetting extends Error {
  override readonly name = "BadSetting";
}
