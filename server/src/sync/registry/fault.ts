/** The registry's response is invalid. The message is for the log. */
export class RegistryFault extends Error {
  override readonly name = "RegistryFault";
}
