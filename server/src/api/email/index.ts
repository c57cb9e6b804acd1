import type { Operation } from "#api/kit/operation";
import { getEmailStatus } from "./get-email-status.ts";
import { listEmails } from "./list-emails.ts";
import { sendTestEmail } from "./send-test-email.ts";

/** In document order. */
export const emailOperations: readonly Operation[] = [getEmailStatus, listEmails, sendTestEmail];
