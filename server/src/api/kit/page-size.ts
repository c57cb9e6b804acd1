const FIRST_ENTRIES = 10;
const MAX_ENTRIES = 200;
const MAX_GROWTH = 4;
/** Of the text of a page. An audit entry can have hundreds of kilobytes, and a call some hundred bytes. */
const CHARACTERS = 256 * 1024;

/** How many entries an export reads next, so that a page takes about the same memory, whatever the size of its entries. */
export class PageSize {
  entries = FIRST_ENTRIES;

  /** Called with the size of each page that was read. */
  adapt(entries: number, characters: number): void {
    if (entries === 0) return;
    const fitting = Math.floor((CHARACTERS * entries) / Math.max(characters, 1));
    this.entries = Math.max(1, Math.min(fitting, this.entries * MAX_GROWTH, MAX_ENTRIES));
  }
}
