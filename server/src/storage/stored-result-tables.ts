/** The complete text of a result that was cut, for an hour. */
export interface StoredResultRow {
  id: string;
  user_id: string;
  server_id: string;
  /** Of the text. */
  bytes: number;
  sealed_text: string;
  created_at: number;
}

export interface StoredResultTables {
  stored_results: StoredResultRow;
}
