/** Why an archive is refused. The message continues the sentence "The archive …". */
export class ZipFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ZipFault";
  }
}
