const LARGEST_PAGE = 200;

export interface Page<Row, Place> {
  readonly rows: readonly Row[];
  readonly next: Place | null | undefined;
}

/** Reads pages until the end, or until there are `most` rows. */
export async function readPages<Row, Place>(
  most: number | undefined,
  read: (limit: number, place: Place | undefined) => Promise<Page<Row, Place>>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let place: Place | undefined;
  for (;;) {
    const left = most === undefined ? LARGEST_PAGE : most - rows.length;
    const page = await read(Math.min(LARGEST_PAGE, left), place);
    rows.push(...page.rows);
    if (page.next == null || rows.length === most) return rows;
    place = page.next;
  }
}

/** For lists with `skip` instead of a cursor (Spec 2.8). */
export function readSkipping<Row>(
  most: number | undefined,
  list: (page: { limit: number; skip: number }) => Promise<{
    readonly data: readonly Row[];
    readonly pagination: { readonly hasMore: boolean };
  }>,
): Promise<Row[]> {
  return readPages<Row, number>(most, async (limit, skip = 0) => {
    const { data, pagination } = await list({ limit, skip });
    return { rows: data, next: pagination.hasMore && data.length > 0 ? skip + data.length : undefined };
  });
}
