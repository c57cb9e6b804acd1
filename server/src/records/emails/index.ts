export { emailOptOuts, setEmailOptOuts } from "./opt-outs.ts";
export { deciders, type QueuedEmail, queueEmails } from "./queue.ts";
export { isEmailEnabled, noteMailServerFails, noteMailServerWorks, readEmailState, setEmailEnabled } from "./state.ts";
export {
  claimEmails,
  countEmails,
  deleteEmailsBefore,
  type EmailCounts,
  endEmail,
  findEmail,
  hasDueEmails,
  insertEmail,
  invitationEmails,
  listEmails,
  markEmailSent,
  noteFailedAttempt,
  trimEmails,
} from "./store.ts";
export { openEmailToken, sealEmailToken } from "./token.ts";
