/** An invalid setting: printed as one line, exit code 78. */
export class BadSetting extends Error {
  override readonly name = "BadSetting";
}
