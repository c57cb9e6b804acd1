export { deleteAuditBefore } from "./retention.ts";
