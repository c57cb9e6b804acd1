/** What the thread for reports runs. */
export const REPORT_WORKER = new URL("./start-report-worker.mjs", import.meta.url);
