/** The registry did something that makes its whole answer unfit. The message is for the log. */
export class RegistryFault extends Error {
  override readonly name = "RegistryFault";
}
