export { type Attempt, attemptSucceeded, beginAttempt, blockedUntil } from "./store.ts";
export { deleteAttemptsBefore, trimAttempts } from "./trim.ts";
