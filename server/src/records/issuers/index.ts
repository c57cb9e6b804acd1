export { lockIssuer, mayIssue, responsibleFor, rolesThatIssue } from "./issuer.ts";
export { type IssuedBy, revokeIssued, revokeLostIssues } from "./revoke.ts";
