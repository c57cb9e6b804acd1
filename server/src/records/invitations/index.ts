export { acceptInvitation, findInvitation, type Invitation, makeInvitation, voidInvitation } from "./store.ts";
